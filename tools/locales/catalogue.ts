import { readFile, writeFile } from 'node:fs/promises';

/** Messages by key, as in locales/<locale>.json. */
export type Catalogue = Record<string, string>;

/** A problem and its place, printed as `file:key: what`. */
export interface Problem {
  readonly file: string;
  readonly key: string;
  readonly what: string;
}

/** Reads a catalogue. JSON.parse silently keeps the last of two equal keys, so they are counted here. */
export async function readCatalogue(file: string): Promise<{ catalogue: Catalogue; problems: Problem[] }> {
  const source = await readFile(file, 'utf8');
  const catalogue = JSON.parse(source) as Catalogue;
  const written = source.matchAll(/^\s*"((?:[^"\\]|\\.)+)"\s*:/gm).map(([, key]) => key!);
  const seen = new Set<string>();
  const twice = [...written].filter((key) => seen.has(key) || !seen.add(key));
  const problems = twice.map((key) => ({ file, key, what: 'occurs twice' }));
  const sorted = Object.keys(catalogue).toSorted();
  const stray = Object.keys(catalogue).find((key, at) => key !== sorted[at]);
  if (stray)
    problems.push({ file, key: stray, what: 'out of order: keys are sorted (npm run locales -- --fix)' });
  return { catalogue, problems };
}

/** Sorts the keys and fixes what keyboards get wrong: straight apostrophes and three dots. */
export async function tidyCatalogue(file: string): Promise<void> {
  const { catalogue } = await readCatalogue(file);
  const tidy = Object.keys(catalogue)
    .toSorted()
    .map((key) => [key, withRightMarks(catalogue[key]!)]);
  await writeFile(file, `${JSON.stringify(Object.fromEntries(tidy), null, 2)}\n`);
}

const withRightMarks = (message: string) =>
  message.replace(/(\p{L})'(?=\p{L}|\s|$)/gu, '$1’').replaceAll('...', '…');
