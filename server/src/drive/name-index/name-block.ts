import { categoryOf, FILE_CATEGORIES } from '@bowerbird/contract';
import { FOLDER } from '../drive.ts';
import { entryText } from './search-fold.ts';

/** Entry of the index for a node. */
export interface NameEntry {
  readonly id: string;
  /** Position in FILE_CATEGORIES. */
  readonly category: number;
  /** Spellings of the name, separated by SPELLING. */
  readonly text: string;
}

/** Entries by descending id, packed: ids, categories, and texts, each after and before a zero byte. */
export interface NameBlock {
  readonly entries: number;
  /** 26 bytes for each entry. */
  readonly ids: Buffer;
  readonly categories: Uint8Array;
  readonly text: Buffer;
  /** Position in `text` at which each entry begins, and the one after the last. */
  readonly starts: Uint32Array;
  /** True if an entry has a second spelling. */
  readonly isSpelled: boolean;
}

/** Length of an id. */
export const ID = 26;
/** Maximum number of entries in a block that was merged from others. */
export const FULL = 4096;

const CATEGORIES = new Map(FILE_CATEGORIES.map((category, at) => [category, at]));
const FOLDER_CATEGORY = CATEGORIES.get('folder')!;

export function nameEntry({ id, kind, name }: { id: string; kind: 0 | 1; name: string }): NameEntry {
  return {
    id,
    category: kind === FOLDER ? FOLDER_CATEGORY : CATEGORIES.get(categoryOf(name))!,
    text: entryText(name),
  };
}

/** Sorts by descending id, and by text for entries of one node. */
export function compareEntries(a: NameEntry, b: NameEntry): number {
  if (a.id !== b.id) return a.id < b.id ? 1 : -1;
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}

/** Packs entries, which must be sorted. */
export function packBlock(entries: readonly NameEntry[]): Buffer {
  const categories = Buffer.alloc(entries.length);
  for (const [at, { category }] of entries.entries()) categories[at] = category;
  const ids = entries.map(({ id }) => id).join('');
  const texts = entries.map(({ text }) => text).join('\0');
  return Buffer.concat([Buffer.from(ids, 'latin1'), categories, Buffer.from(`\0${texts}\0`)]);
}

export function openBlock(data: Uint8Array, entries: number): NameBlock {
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const text = bytes.subarray(entries * (ID + 1));
  const starts = new Uint32Array(entries + 1);
  let entry = 0;
  for (let at = 0; at < text.length && entry <= entries; at++) if (text[at] === 0) starts[entry++] = at + 1;
  return {
    entries,
    ids: bytes.subarray(0, entries * ID),
    categories: bytes.subarray(entries * ID, entries * (ID + 1)),
    text,
    starts,
    isSpelled: text.includes(1),
  };
}

export const idAt = ({ ids }: NameBlock, entry: number): string =>
  ids.toString('latin1', entry * ID, (entry + 1) * ID);

export const textAt = ({ text, starts }: NameBlock, entry: number): string =>
  text.toString('utf8', starts[entry]!, starts[entry + 1]! - 1);

export function* entriesOf(block: NameBlock): Generator<NameEntry> {
  for (let at = 0; at < block.entries; at++)
    yield { id: idAt(block, at), category: block.categories[at]!, text: textAt(block, at) };
}

export const weightOf = ({ ids, categories, text, starts }: NameBlock): number =>
  ids.length + categories.length + text.length + starts.byteLength;
