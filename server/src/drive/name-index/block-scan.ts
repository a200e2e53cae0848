import { isBoundary, spellingsOf } from './search-fold.ts';
import type { NameBlock } from './name-block.ts';
import { categoryHash, hashesOf, mayContain, type Tier } from './name-filter.ts';

export const TIERS: readonly Tier[] = [0, 1, 2, 3];

/** Part of a search that the index answers. */
export interface NameQuery {
  /** Every name must contain one spelling of each word; the first decides the tier. */
  readonly words: readonly (readonly string[])[];
  /** Spellings of all words together, which are a whole name in tier 0. */
  readonly phrase: readonly string[];
  readonly categories: ReadonlySet<number> | undefined;
  /** With their dots. */
  readonly extensions: readonly string[] | undefined;
}

interface Word {
  readonly spellings: readonly Buffer[];
  readonly length: number;
}

/** A search of blocks for a query. */
export interface BlockScan {
  /** False if no name can match in a tier: without words, all matches are in the last one. */
  has(tier: Tier): boolean;
  /** False if the block, by its filter, has no match in a tier. */
  mayMatch(filter: Uint8Array, tier: Tier): boolean;
  /** Returns the matching entries of a block in each tier, in order. */
  scan(block: NameBlock): number[][];
}

/** Parses words as typed into those of a query. Words that consist of unwritten characters only are left out. */
export function nameQuery(
  typed: readonly string[],
  narrowed: Pick<NameQuery, 'categories' | 'extensions'>,
): NameQuery {
  const words = typed.map((word) => spellingsOf(word)).filter(([plain]) => plain !== '');
  return { words, phrase: spellingsOf(typed.join(' ')), ...narrowed };
}

export function createBlockScan(query: NameQuery): BlockScan {
  const words = query.words.map((spellings): Word => {
    const buffers = spellings.map((spelling) => Buffer.from(spelling));
    return { spellings: buffers, length: Math.min(...buffers.map(({ length }) => length)) };
  });
  const [first] = words;
  // The longest word is the rarest.
  const lead = words.reduce<Word | undefined>(
    (best, word) => (best && best.length >= word.length ? best : word),
    undefined,
  );
  const others = words.filter((word) => word !== lead);
  const phrase = query.phrase.map((spelling) => Buffer.from(spelling));
  const extensions = query.extensions?.map((extension) => Buffer.from(extension));
  const byTier = TIERS.map((tier) => filterHashes(query, tier));

  const passes = (block: NameBlock, entry: number): boolean =>
    (!query.categories || query.categories.has(block.categories[entry]!)) &&
    (!extensions || extensions.some((extension) => endsWith(block, entry, extension)));

  const has = (tier: Tier): boolean => first !== undefined || tier === 3;

  return {
    has,
    mayMatch(filter, tier) {
      if (!has(tier)) return false;
      const { every, some } = byTier[tier]!;
      return (
        every.every((spellings) => spellings.some((hashes) => mayContain(filter, hashes))) &&
        (!some || some.some((bits) => mayContain(filter, [bits])))
      );
    },

    scan(block) {
      const found: number[][] = [[], [], [], []];
      if (!lead) {
        for (let entry = 0; entry < block.entries; entry++) if (passes(block, entry)) found[3]!.push(entry);
        return found;
      }
      forEachOccurrence(block, lead, (entry, at) => {
        if (!passes(block, entry) || !others.every((word) => positionOf(block, entry, word) >= 0)) return;
        found[tierOf(block, entry, first!, phrase, lead === first ? at : -1)]!.push(entry);
      });
      return found;
    },
  };
}

function filterHashes(
  { words, phrase, categories }: NameQuery,
  tier: Tier,
): { every: number[][][]; some: number[] | undefined } {
  const every = words.map((spellings, at) =>
    spellings.map((spelling) => hashesOf(spelling, at === 0 && tier > 0 ? tier : 3)),
  );
  if (tier === 0 && words.length > 0) every.push(phrase.map((spelling) => hashesOf(spelling, 0)));
  return { every, some: categories && [...categories].map((category) => categoryHash(category)) };
}

type OnEntry = (entry: number, at: number) => void;

/** Calls back for each entry that contains a word, in order, with the position of its first occurrence. */
function forEachOccurrence(block: NameBlock, { spellings }: Word, found: OnEntry): void {
  if (spellings.length === 1) {
    forEachEntry(block, spellings[0]!, found);
    return;
  }
  const all = new Map<number, number>();
  for (const spelling of spellings)
    forEachEntry(block, spelling, (entry, at) => void all.set(entry, Math.min(at, all.get(entry) ?? at)));
  for (const [entry, at] of [...all].toSorted(([a], [b]) => a - b)) found(entry, at);
}

function forEachEntry({ text, starts, entries }: NameBlock, spelling: Buffer, found: OnEntry): void {
  let entry = 0;
  for (let at = text.indexOf(spelling); at >= 0; at = text.indexOf(spelling, starts[entry]!)) {
    entry = entryAt(starts, entries, entry, at);
    found(entry, at);
    entry += 1;
    if (entry >= entries) return;
  }
}

/** Returns the entry at a position, which is that of `from` or of a later one. */
function entryAt(starts: Uint32Array, entries: number, from: number, at: number): number {
  let [low, high, step] = [from, from + 1, 1];
  while (high < entries && starts[high]! <= at) {
    low = high;
    step *= 2;
    high += step;
  }
  high = Math.min(high, entries);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! <= at) low = middle;
    else high = middle;
  }
  return low;
}

function positionOf(
  block: NameBlock,
  entry: number,
  { spellings }: Word,
  from = block.starts[entry]!,
): number {
  const end = block.starts[entry + 1]! - 1;
  const text = block.text.subarray(from, end);
  let best = -1;
  for (const spelling of spellings) {
    const at = text.indexOf(spelling);
    if (at >= 0 && (best < 0 || from + at < best)) best = from + at;
  }
  return best;
}

function tierOf(block: NameBlock, entry: number, first: Word, phrase: readonly Buffer[], at: number): Tier {
  const { text } = block;
  const [start, end] = [block.starts[entry]!, block.starts[entry + 1]! - 1];
  if (phrase.some((spelling) => isWhole(block, start, end, spelling))) return 0;
  let tier: Tier = 3;
  for (let place = at < 0 ? positionOf(block, entry, first) : at; place >= 0;) {
    if (place === start || text[place - 1] === 1) return 1;
    if (tier === 3 && startsWord(text, place)) tier = 2;
    // Only a beginning would be better, and those of the second spelling are after its separator.
    if (tier === 2 && !block.isSpelled) return 2;
    place = nextOf(block, end, first, place + 1);
  }
  return tier;
}

/** Returns the next occurrence of a word in an entry; -1 if there is none. */
function nextOf({ text }: NameBlock, end: number, { spellings }: Word, from: number): number {
  let best = -1;
  for (const spelling of spellings) {
    const at = text.indexOf(spelling, from);
    if (at >= 0 && at < end && (best < 0 || at < best)) best = at;
  }
  return best;
}

/** True if a spelling is one of the forms of an entry, as a whole. */
function isWhole({ text, isSpelled }: NameBlock, start: number, end: number, spelling: Buffer): boolean {
  for (let from = start; from + spelling.length <= end;) {
    const to = from + spelling.length;
    if ((to === end || text[to] === 1) && text.compare(spelling, 0, spelling.length, from, to) === 0)
      return true;
    if (!isSpelled) return false;
    const next = text.subarray(from, end).indexOf(1);
    if (next < 0) return false;
    from += next + 1;
  }
  return false;
}

/** The same as {@link isBoundary} for the UTF-8 character before a position. */
function startsWord(text: Buffer, at: number): boolean {
  const last = text[at - 1]!;
  if (last < 0x80) return isBoundary(last);
  if (text[at - 2] === 0xc2) return true;
  const [a, b] = [text[at - 3]!, text[at - 2]!];
  return (a === 0xe2 && (b === 0x80 || b === 0x81)) || (a === 0xe3 && b === 0x80);
}

function endsWith({ text, starts }: NameBlock, entry: number, ending: Buffer): boolean {
  const start = starts[entry]!;
  const whole = starts[entry + 1]! - 1;
  const spelling = text.subarray(start, whole).indexOf(1);
  const end = spelling < 0 ? whole : start + spelling;
  const from = end - ending.length;
  // A name such as ".pdf" has no extension.
  return from > start && text.compare(ending, 0, ending.length, from, end) === 0;
}
