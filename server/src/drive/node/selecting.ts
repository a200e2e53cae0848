import {
  ApiFailure,
  categoryOf,
  parseSize,
  readTime,
  type Conditions,
  type FileCategory,
} from '@bowerbird/contract';
import { FOLDER, type ShownNode } from '../drive.ts';
import { foldName } from '../name-key.ts';

type Row = Pick<ShownNode, 'kind' | 'name' | 'size' | 'modified_at'>;

const ANY = '*';
const ONE = '?';

/**
 * Returns whether a folded name matches a pattern of `*` and `?`. Takes at most the product of both lengths, whatever the
 * pattern: only the last `*` is ever tried again.
 */
export function matchesPattern(name: readonly string[], pattern: readonly string[]): boolean {
  let at = 0;
  let in_ = 0;
  let star = -1;
  let resume = 0;
  while (at < name.length) {
    if (in_ < pattern.length && pattern[in_] === ANY) {
      star = in_++;
      resume = at;
    } else if (in_ < pattern.length && (pattern[in_] === ONE || pattern[in_] === name[at])) {
      at++;
      in_++;
    } else if (star >= 0) {
      in_ = star + 1;
      at = ++resume;
    } else return false;
  }
  while (pattern[in_] === ANY) in_++;
  return in_ === pattern.length;
}

function nameTest(source: string): (row: Row) => boolean {
  const folded = foldName(source.trim());
  if (!folded.includes(ANY) && !folded.includes(ONE)) return ({ name }) => foldName(name).includes(folded);
  const pattern = [...folded];
  return ({ name }) => matchesPattern([...foldName(name)], pattern);
}

function size(field: string, value: unknown): number {
  const bytes = parseSize(value);
  if (bytes === undefined) throw new ApiFailure('invalid_argument', { field: `where/${field}` });
  return bytes;
}

function time(field: string, value: string): number {
  const at = readTime(value);
  if (at === undefined) throw new ApiFailure('invalid_argument', { field: `where/${field}` });
  return at;
}

/** Returns a test of rows; throws `invalid_argument` for values that can't be read. */
export function conditionTest(where: Conditions): (row: Row) => boolean {
  const tests: ((row: Row) => boolean)[] = [];
  if (where.name?.trim()) tests.push(nameTest(where.name));
  if (where.categories?.length) {
    const wanted = new Set<FileCategory>(where.categories);
    tests.push(({ kind, name }) => wanted.has(kind === FOLDER ? 'folder' : categoryOf(name)));
  }
  if (where.min_size !== undefined || where.max_size !== undefined) {
    const least = where.min_size === undefined ? 0 : size('min_size', where.min_size);
    const most = where.max_size === undefined ? Number.POSITIVE_INFINITY : size('max_size', where.max_size);
    tests.push((row) => row.kind !== FOLDER && row.size >= least && row.size <= most);
  }
  if (where.modified_from !== undefined) {
    const from = time('modified_from', where.modified_from);
    tests.push((row) => row.modified_at >= from);
  }
  if (where.modified_before !== undefined) {
    const before = time('modified_before', where.modified_before);
    tests.push((row) => row.modified_at < before);
  }
  return (row) => tests.every((test) => test(row));
}
