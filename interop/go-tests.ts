/** Go's tests by how they ended, and what each that failed wrote. */
export interface GoTests {
  readonly passed: readonly string[];
  readonly failed: ReadonlyMap<string, string>;
  readonly skipped: readonly string[];
}

/** A test with subtests counts by those, unless it found something wrong itself. */
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
 * After an upload rclone's backend `pikpak` goes on with what the server said before it, when nobody knew the MD5, and
 * its tests want every later answer to be the same. True where that is all that a test complains of.
 */
export function complainsOfLaterMd5(text: string): boolean {
  const errors = text.match(/^\s+Error:/gm) ?? [];
  const later = text.match(/expected: "(\d+),"\s+actual {2}: "\1,[0-9a-f]{32}"/g) ?? [];
  return errors.length > 0 && errors.length === later.length;
}
