import { StorageFull } from './storage-errors.ts';
import type { BlobStore } from './blob-store.ts';

/**
 * The space left for writing in a storage. Space for incoming bytes is reserved before they arrive, so that bodies
 * that arrive at the same time never exceed it together.
 */
export interface Room {
  /**
   * Reserves space; without a number, as much as arrives, a little at a time. Rejects with StorageFull if the free
   * space would drop below the reserve. MUST be released, whatever happens to the bytes.
   */
  claim(bytes?: number): Promise<RoomClaim>;
  /** Rejects with StorageFull if that many bytes could not be claimed now. Reserves nothing. */
  check(bytes: number): Promise<void>;
  status(): Promise<RoomStatus>;
}

export interface RoomClaim {
  /** Passes a source on; its bytes no longer count as incoming. Throws StorageFull if space has run out meanwhile. */
  through(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined>;
  release(): void;
}

/** All in bytes. */
export interface RoomStatus {
  /** Null if unknown: S3 services don't report it. */
  readonly free: number | null;
  /** Space that is never used. */
  readonly reserve: number;
  /** Space that this process has reserved for incoming bytes. */
  readonly underWay: number;
}

/**
 * After this many bytes, checks whether other processes are filling the disk. Also the amount reserved at a time for
 * bodies of unknown length.
 */
const STEP = 4 * 2 ** 20;
/** Smaller than that, so that a small body of unknown length fits into little remaining space. */
const FIRST_STEP = 64 * 2 ** 10;
/** Bytes that have passed may still be in memory, and not yet be subtracted from the disk's free space. */
const IN_MEMORY = 8 * 2 ** 20;

/** Time for which a look at the disk counts, if there is {@link AMPLE} space. */
const RECENT_MS = 100;
/** More than can be written in that time. */
const AMPLE = 2 ** 30;

interface Claimed {
  granted: number;
  passed: number;
}

interface Asking {
  readonly bytes: number;
  readonly grant: () => number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** `reserve` is the space that stays free: a database on the same disk must still be able to write. */
export function createRoom(storage: Pick<BlobStore, 'freeSpace'>, reserve: number): Room {
  const claims = new Set<Claimed>();
  let waiting: Asking[] = [];
  let turn: Promise<void> = Promise.resolve();
  let seen = { free: 0, at: Number.NEGATIVE_INFINITY };

  const underWay = (): number => {
    let bytes = 0;
    for (const { granted, passed } of claims) bytes += granted - Math.max(0, passed - IN_MEMORY);
    return bytes;
  };

  /** Returns whether so much was free a moment ago that there is no need to look again. */
  const isAmple = (bytes: number): boolean =>
    performance.now() - seen.at < RECENT_MS && seen.free - reserve - underWay() - bytes > AMPLE;

  /** Answers everyone who waits, in order, after looking at the disk once. */
  async function answer(): Promise<void> {
    const asking = waiting;
    waiting = [];
    let taken = underWay();
    try {
      const at = performance.now();
      const free = await storage.freeSpace();
      seen = { free: free ?? 0, at };
      for (const { bytes, grant, resolve, reject } of asking) {
        if (free !== null && free - reserve - taken < bytes) {
          reject(new StorageFull());
          continue;
        }
        taken += grant();
        resolve();
      }
    } catch (error) {
      for (const { reject } of asking) reject(error as Error);
    }
  }

  /**
   * Calls `grant`, which returns the number of bytes it has reserved, if that many bytes fit in addition to everything
   * in progress.
   */
  async function take(bytes: number, grant: () => number): Promise<void> {
    if (isAmple(bytes)) {
      grant();
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    waiting.push({ bytes, grant, resolve, reject });
    if (waiting.length === 1) turn = turn.then(answer);
    return promise;
  }

  /** Another process may have written meanwhile: the rest of a claim must still fit. */
  async function confirm({ granted, passed }: Claimed): Promise<void> {
    const free = await storage.freeSpace();
    if (free !== null && free - reserve < granted - passed) throw new StorageFull();
  }

  return {
    check: (bytes) => take(bytes, () => 0),

    async claim(bytes) {
      const claim: Claimed = { granted: bytes ?? 0, passed: 0 };
      await take(claim.granted, () => {
        claims.add(claim);
        return claim.granted;
      });
      return {
        async *through(source) {
          let step = FIRST_STEP;
          let looked = 0;
          for await (const chunk of source) {
            const after = claim.passed + chunk.byteLength;
            if (after > claim.granted) {
              const more = Math.max(step, after - claim.granted);
              await take(more, () => {
                claim.granted += more;
                return more;
              });
              step = Math.min(2 * step, STEP);
            } else if (after - looked >= STEP) {
              looked = after;
              await confirm(claim);
            }
            claim.passed = after;
            yield chunk;
          }
        },
        release: () => void claims.delete(claim),
      };
    },

    status: async () => ({ free: await storage.freeSpace(), reserve, underWay: underWay() }),
  };
}
