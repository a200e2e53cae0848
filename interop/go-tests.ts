/** Go's tests by result, with the output of each failed one. */
export interface GoTests {
  readonly passed: readonly string[];
  readonly failed: ReadonlyMap<string, string>;
  readonly skipped: readonly string[];
}

/** A test with subtests is counted by its subtests, unless it failed itself. */
export function readGoTests(said: string): GoTests {
  const ended = new Map<string, string>();
  for (const [, how, name] of said.matchAll(/^ *--- (PASS|FAIL|SKIP): (\S+)/gm)) ended.set(name!, how!);
  const names = [...ended.keys()];
  const wrote = textByTest(said);
  const under = (name: string): string[] => names.filter((other) => other.startsWith(`${name}/`));
  const of = (how: string): string[] => names.filter((name) => ended.get(name) === how);
  const isLeaf = (name: string): boolean => under(name).length === 0;
  const isOwnFault = (name: string): boolean =>
    /^\s+Error:/m.test(wrote.get(name) ?? '') || !under(name).some((other) => ended.get(other) === 'FAIL');
  return {
    passed: of('PASS').filter(isLeaf),
    failed: new Map(
      of('FAIL')
        .filter(isOwnFault)
        .map((name) => [name, wrote.get(name) ?? '']),
    ),
    skipped: of('SKIP').filter(isLeaf),
  };
}

function textByTest(said: string): Map<string, string> {
  const texts = new Map<string, string>();
  const [, ...pieces] = said.split(/^=== (?:RUN|NAME|CONT) +(\S+)$/m);
  for (let at = 0; at < pieces.length; at += 2)
    texts.set(pieces[at]!, (texts.get(pieces[at]!) ?? '') + pieces[at + 1]!);
  return texts;
}

/**
 * After an upload, rclone's `pikpak` backend keeps using the server's response from before it, when the MD5 was
 * unknown, and its tests expect every later response to be the same. True if a test complains about nothing else.
 */
export function complainsOfLaterMd5(text: string): boolean {
  const errors = text.match(/^\s+Error:/gm) ?? [];
  const later = text.match(/expected: "(\d+),"\s+actual {2}: "\1,[0-9a-f]{32}"/g) ?? [];
  return errors.length > 0 && errors.length === later.length;
}
