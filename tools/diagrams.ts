import { globSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';

// `npm run diagrams` draws the layers of the server and of the web client in docs/architecture.md from the imports.

const root = join(import.meta.dirname, '..');

export const architecture = join(root, 'docs', 'architecture.md');

/** For each folder of a source tree, the folders that it imports from. */
type Imports = ReadonlyMap<string, ReadonlySet<string>>;

const DIAGRAMS = [
  { name: 'server layers', source: 'server/src' },
  { name: 'web layers', source: 'web/app' },
] as const;

/** The page with its diagrams according to the current imports. */
export function withDiagrams(page: string): string {
  return DIAGRAMS.reduce((text, { name, source }) => {
    const begin = `<!-- ${name}: written by npm run diagrams -->`;
    const end = `<!-- end of ${name} -->`;
    const [before, rest] = text.split(begin);
    const after = rest?.split(end)[1];
    if (before === undefined || after === undefined)
      throw new Error(`docs/architecture.md has no marker for the ${name}`);
    return `${before}${begin}\n${diagramOf(importsWithin(join(root, source)))}\n${end}${after}`;
  }, page);
}

/**
 * Which folders of a tree import from which others. Files directly in the tree are left out, since they import
 * everything.
 */
function importsWithin(tree: string): Imports {
  const imports = new Map<string, Set<string>>();
  const files = globSync('*/**/*.{ts,tsx}', { cwd: tree }).filter(
    (file) => !/\.(?:test|suite)\.tsx?$/.test(file),
  );
  for (const file of files.toSorted()) {
    const from = file.split('/')[0]!;
    if (from === 'testing') continue;
    const targets = imports.get(from) ?? new Set<string>();
    imports.set(from, targets);
    const text = readFileSync(join(tree, file), 'utf8');
    for (const [, path, inWeb] of text.matchAll(/(?:from|import)\s*\(?\s*'(?:(\.[^']*)|#app\/([^']*))'/g)) {
      const to = (inWeb ?? relative(tree, join(tree, dirname(file), path!))).split('/');
      if (to.length > 1 && to[0] !== '..' && to[0] !== from) targets.add(to[0]!);
    }
  }
  return imports;
}

/** A Mermaid flowchart. Arrows implied by others are left out, so that the layers are visible. */
function diagramOf(imports: Imports): string {
  const arrows = [...imports].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((other) => other !== to && reaches(imports, other, to)))
      .map((to) => `  ${from} --> ${to}`),
  );
  const linked = new Set(arrows.flatMap((arrow) => arrow.trim().split(' --> ')));
  const alone = [...imports.keys()].filter((folder) => !linked.has(folder)).map((folder) => `  ${folder}`);
  return ['```mermaid', 'flowchart TD', ...[...arrows, ...alone].toSorted(), '```'].join('\n');
}

function reaches(imports: Imports, from: string, to: string, seen = new Set<string>()): boolean {
  if (seen.has(from)) return false;
  seen.add(from);
  return [...(imports.get(from) ?? [])].some((next) => next === to || reaches(imports, next, to, seen));
}

if (import.meta.main) await writeFile(architecture, withDiagrams(await readFile(architecture, 'utf8')));
