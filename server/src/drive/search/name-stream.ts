import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { idAt, textAt, TIERS, type BlockScan, type NameBlock, type Tier } from '../name-index/index.ts';
import type { NameSource } from './name-source-service.ts';

/** An entry that matches, or a node whose note does (tier 4); it may have another name by now. */
export interface Match {
  readonly tier: Tier | 4;
  readonly id: string;
  readonly text: string;
}

/** Place of a match in the order of all: the best tier first, in each the newest node. */
export type MatchPlace = readonly [tier: number, id: string];

/** Time after which others get their turn. */
const TURN_MS = 6;
/** Blocks that are read together. */
const TOGETHER = 8;

interface Cursor {
  readonly block: NameBlock;
  readonly entries: readonly number[];
  at: number;
  id: string;
}

/**
 * Iterates over the matches of a scan after a place, in order. Blocks are searched one by one, as long as they can
 * contain the next match: whoever needs few matches of many pays for few.
 */
export async function* matches(
  source: NameSource,
  scan: BlockScan,
  beyond: MatchPlace | undefined,
): AsyncGenerator<Match, void, undefined> {
  /** Searched blocks: only those with matches are kept. */
  const scanned = new Map<string, { block: NameBlock; tiers: number[][] } | 'empty'>();
  let started = performance.now();

  async function takeTurns(): Promise<void> {
    if (performance.now() - started < TURN_MS) return;
    await yieldToEventLoop();
    started = performance.now();
  }

  for (const tier of TIERS) {
    if (tier < (beyond?.[0] ?? 0)) continue;
    const after = tier === beyond?.[0] ? beyond[1] : undefined;
    const heads = source.heads.filter(({ id }) => {
      const filter = source.filter(id);
      return filter ? scan.mayMatch(filter, tier) : scan.has(tier);
    });
    const open: Cursor[] = [];
    let ready: NameBlock[] = [];
    let next = 0;

    /** Opens the next block. */
    async function advance(): Promise<void> {
      const { id } = heads[next]!;
      let known = scanned.get(id);
      if (!known) {
        if (ready.length === 0) {
          const wanted = heads
            .slice(next, next + (next === 0 ? 1 : TOGETHER))
            .filter((head) => !scanned.has(head.id))
            .map((head) => head.id);
          ready = await source.read(wanted);
        }
        const block = ready.shift()!;
        const tiers = scan.scan(block);
        known = tiers.some(({ length }) => length > 0) ? { block, tiers } : 'empty';
        scanned.set(id, known);
        await takeTurns();
      }
      next += 1;
      if (known === 'empty') return;
      const { block, tiers } = known;
      const entries = tiers[tier]!;
      const at = after === undefined ? 0 : firstBelow(block, entries, after);
      if (at < entries.length) open.push({ block, entries, at, id: idAt(block, entries[at]!) });
    }

    for (;;) {
      let best = newest(open);
      while (next < heads.length && (!best || best.id < heads[next]!.newest)) {
        await advance();
        best = newest(open);
      }
      if (!best) break;
      yield { tier, id: best.id, text: textAt(best.block, best.entries[best.at]!) };
      best.at += 1;
      if (best.at < best.entries.length) best.id = idAt(best.block, best.entries[best.at]!);
      else open.splice(open.indexOf(best), 1);
    }
  }
}

function newest(open: readonly Cursor[]): Cursor | undefined {
  let best: Cursor | undefined;
  for (const cursor of open) if (!best || cursor.id > best.id) best = cursor;
  return best;
}

/** Returns the index of the first entry with a lower id. */
function firstBelow(block: NameBlock, entries: readonly number[], id: string): number {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (idAt(block, entries[middle]!) < id) high = middle;
    else low = middle + 1;
  }
  return low;
}
