import { isBoundary, SPELLING } from './search-fold.ts';

/** Bits per entry; a name of twenty letters sets about forty, of which most are set by others already. */
const BITS = 8;
const LEAST_BYTES = 64;

const START = 0x11_00_01;
const WORD = 0x11_00_02;
const END = 0x11_00_03;
const CATEGORY = 0x11_00_04;
const NONE = 0x11_00_05;

/** Hash of up to three UTF-16 units or marks. */
function hash(a: number, b: number, c: number): number {
  let mixed = Math.imul(a ^ Math.imul(b, 0x85_eb_ca_6b) ^ Math.imul(c, 0xc2_b2_ae_35), 0x9e_37_79_b1);
  mixed ^= mixed >>> 15;
  mixed = Math.imul(mixed, 0x2c_1b_3c_6d);
  return mixed ^ (mixed >>> 13);
}

/**
 * Hashes of a beginning or end. There are several, because the same bit is set in most blocks if a frequent part sets
 * it: a query that has only this bit to distinguish it would search them all.
 */
const SALTS = [0, 0x20_00_00, 0x40_00_00] as const;

const marked = (mark: number, a: number, b: number): number[] => SALTS.map((salt) => hash(mark ^ salt, a, b));

/** Creates an empty filter for a number of entries; its size is a power of two. */
export function emptyFilter(entries: number): Uint8Array {
  let bytes = LEAST_BYTES;
  while (bytes * 8 < entries * BITS) bytes *= 2;
  return new Uint8Array(bytes);
}

/** Adds the parts of an entry by which queries look for it. */
export function addToFilter(filter: Uint8Array, text: string, category: number): void {
  const mask = filter.length * 8 - 1;
  const add = (bits: number): void => {
    const bit = bits & mask;
    filter[bit >>> 3]! |= 1 << (bit & 7);
  };
  add(hash(CATEGORY, category, NONE));
  for (const form of text.includes(SPELLING) ? text.split(SPELLING) : [text]) {
    let [before, last] = [NONE, NONE];
    for (let at = 0; at < form.length; at++) {
      const unit = form.charCodeAt(at);
      add(hash(unit, NONE, NONE));
      if (last !== NONE) add(hash(last, unit, NONE));
      if (before !== NONE) add(hash(before, last, unit));
      if (last === NONE || isBoundary(last)) {
        const next = at + 1 < form.length ? form.charCodeAt(at + 1) : END;
        for (const mark of last === NONE ? [START, WORD] : [WORD])
          for (const salt of SALTS) {
            add(hash(mark ^ salt, unit, NONE));
            add(hash(mark ^ salt, unit, next));
          }
      }
      before = last;
      last = unit;
    }
    for (const salt of SALTS) add(hash(END ^ salt, last, before));
  }
}

/** Place of a text in a name: 0 is the whole name, 1 its beginning, 2 the beginning of a word, 3 anywhere. */
export type Tier = 0 | 1 | 2 | 3;

/** Hashes that the filters of all blocks contain that have such an entry. */
export function hashesOf(text: string, tier: Tier): number[] {
  const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  const [first = NONE, second] = units;
  const hashes: number[] = [];
  if (tier < 3) hashes.push(...marked(tier < 2 ? START : WORD, first, second ?? NONE));
  if (tier === 0) hashes.push(...marked(END, units.at(-1)!, units.at(-2) ?? NONE));
  if (units.length === 1) hashes.push(hash(first, NONE, NONE));
  if (units.length === 2) hashes.push(hash(first, second!, NONE));
  for (let at = 2; at < units.length; at++) hashes.push(hash(units[at - 2]!, units[at - 1]!, units[at]!));
  return hashes;
}

export const categoryHash = (category: number): number => hash(CATEGORY, category, NONE);

/** False if no entry of the block has all of the hashes. */
export function mayContain(filter: Uint8Array, hashes: readonly number[]): boolean {
  const mask = filter.length * 8 - 1;
  return hashes.every((bits) => (filter[(bits & mask) >>> 3]! & (1 << (bits & mask & 7))) !== 0);
}
