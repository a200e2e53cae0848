import { createHash } from 'node:crypto';

/** The content of a drive: the SHA-256 of each file's content by its path, and "folder" for folders. */
export type Tree = ReadonlyMap<string, string>;

export const FOLDER = 'folder';
export const digest = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

const isWithin = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);

export const foldersOf = (tree: Tree): string[] => [
  '',
  ...[...tree].filter(([, value]) => value === FOLDER).map(([path]) => path),
];
export const filesOf = (tree: Tree): string[] =>
  [...tree].filter(([, value]) => value !== FOLDER).map(([path]) => path);
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
export const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

export const withEntry = (tree: Tree, path: string, value: string): Tree => new Map(tree).set(path, value);
export const without = (tree: Tree, path: string): Tree =>
  new Map([...tree].filter(([each]) => !isWithin(each, path)));
export const withCopy = (tree: Tree, from: string, to: string): Tree =>
  new Map([
    ...tree,
    ...[...tree]
      .filter(([path]) => isWithin(path, from))
      .map(([path, value]) => [to + path.slice(from.length), value] as const),
  ]);
export const withMove = (tree: Tree, from: string, to: string): Tree =>
  new Map(
    [...tree].map(([path, value]) => [isWithin(path, from) ? to + path.slice(from.length) : path, value]),
  );

/** Describes the first few differences; "" if both are equal. */
export function difference(expected: Tree, found: Tree): string {
  const lines = [
    ...[...expected].filter(([path]) => !found.has(path)).map(([path]) => `${path} is missing`),
    ...[...found].filter(([path]) => !expected.has(path)).map(([path]) => `${path} is too many`),
    ...[...expected]
      .filter(([path, value]) => found.has(path) && found.get(path) !== value)
      .map(([path]) => `${path} has other content`),
  ];
  return lines.slice(0, 5).join(', ') + (lines.length > 5 ? ` and ${lines.length - 5} more` : '');
}
