import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** References to messages in the source code. */
export interface Usage {
  /** Every string literal; a key that appears in one counts as used. */
  readonly literals: ReadonlySet<string>;
  /** Keys built at run time, as patterns: `drive.sort.${order}` uses every key with that prefix. */
  readonly patterns: readonly RegExp[];
  /** Keys that are used by name, each with the file that uses it. */
  readonly asked: ReadonlyMap<string, string>;
}

const comment = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const literal = /(?<quote>['"`])(?<text>[\w-]+(?:\.[\w-]+)+)\k<quote>/g;
const template = /`(?<head>[a-z][\w-]*\.[\w.-]*)\$\{[^`]*`/g;
const call = /\bt(?:\.rich)?\(\s*(['"`])([\w-]+(?:\.[\w-]+)*)\1/g;

/** Reads every source file below the folders, except tests. */
export async function readUsage(root: string, folders: readonly string[]): Promise<Usage> {
  const literals = new Set<string>();
  const patterns = new Map<string, RegExp>();
  const asked = new Map<string, string>();
  for (const file of await sourcesBelow(root, folders)) {
    const source = (await readFile(join(root, file), 'utf8')).replace(comment, '');
    for (const { groups } of source.matchAll(literal)) literals.add(groups!.text!);
    for (const [text] of source.matchAll(template)) patterns.set(text, patternOf(text));
    for (const [, , key] of source.matchAll(call)) asked.set(key!, file);
  }
  return { literals, patterns: [...patterns.values()], asked };
}

export const isUsed = ({ literals, asked, patterns }: Usage, key: string): boolean =>
  literals.has(key) || asked.has(key) || patterns.some((pattern) => pattern.test(key));

function patternOf(text: string): RegExp {
  const parts = text.slice(1, -1).split(/\$\{[^}]*\}/);
  return new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('.+')}$`);
}

async function sourcesBelow(root: string, folders: readonly string[]): Promise<string[]> {
  const listed = await Promise.all(
    folders.map(async (folder) => {
      const entries = await readdir(join(root, folder), { recursive: true }).catch(() => []);
      return entries.map((entry) => join(folder, entry));
    }),
  );
  // Generated types contain every key.
  return listed.flat().filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\/\+types\//.test(file));
}
