/** Names of Go's tests by how they ended. A test with subtests counts by those, unless it failed on its own. */
export function countGoTests(said: string): Record<'passed' | 'failed' | 'skipped', string[]> {
  const ended = new Map<string, string>();
  for (const [, how, name] of said.matchAll(/^ *--- (PASS|FAIL|SKIP): (\S+)/gm)) ended.set(name!, how!);
  const names = [...ended.keys()];
  const under = (name: string): string[] => names.filter((other) => other.startsWith(`${name}/`));
  const of = (how: string): string[] => names.filter((name) => ended.get(name) === how);
  const isLeaf = (name: string): boolean => under(name).length === 0;
  return {
    passed: of('PASS').filter(isLeaf),
    failed: of('FAIL').filter((name) => !under(name).some((other) => ended.get(other) === 'FAIL')),
    skipped: of('SKIP').filter(isLeaf),
  };
}
