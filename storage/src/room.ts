import { StorageFull } from './storage-errors.ts';
import type { BlobStore } from './blob-store.ts';

/**
 * The room that is left in a storage for writing. Incoming bytes are set aside before they arrive, so that bodies that
 * arrive at the same time never together write more than there is room for.
 */
export interface Room {
  /**
   * Sets bytes aside; without a number, as many as arrive, a little at a time. Rejects with StorageFull if the free space
   * would drop below the reserve. MUST be released, whatever becomes of the bytes.
   */
  claim(bytes?: number): Promise<RoomClaim>;
  /** Rejects with StorageFull if that many bytes could not be claimed now. Sets nothing aside. */
  check(bytes: number): Promise<void>;
  status(): Promise<RoomStatus>;
}

export interface RoomClaim {
  /** Passes a source on; its bytes no longer count as incoming. Throws StorageFull if the room has run out meanwhile. */
  through(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined>;
  release(): void;
}

/** All in bytes. */
export interface RoomStatus {
  /** Null if unknown: an S3 service doesn't report it. */
  readonly free: number | null;
  /** Space that is never written. */
  readonly reserve: number;
  /** Space that this process has set aside for incoming bytes. */
  readonly underWay: number;
}

/** Interval, in bytes, of checks for other processes filling the disk, and the amount set aside at a time for bodies of unknown length. */
const STEP = 4 * 2 ** 20;
/** A small body of unknown length should fit into a small room. */
const FIRST_STEP = 64 * 2 ** 10;
/** Bytes that passed may still be in memory, and not yet missing on the disk. */
const IN_MEMORY = 8 * 2 ** 20;

interface Claimed {
  granted: number;
  passed: number;
}

/** `reserve` is the space that stays free: a database on the same disk has to keep writing. */
export function createRoom(storage: Pick<BlobStore, 'freeSpace'>, reserve: number): Room {
  const claims = new Set<Claimed>();
  let turn: Promise<unknown> = Promise.resolve();

  const underWay = (): number => {
    let bytes = 0;
    for (const { granted, passed } of claims) bytes += granted - Math.max(0, passed - IN_MEMORY);
    return bytes;
  };

  /** One after the other: the next claim sees the grants before it. */
  function inTurn<R>(work: () => Promise<R>): Promise<R> {
    const done = turn.then(work, work);
    turn = done.catch(() => {});
    return done;
  }

  /** Calls `grant` if that many bytes fit besides everything in progress. */
  function take(bytes: number, grant: () => void): Promise<void> {
    return inTurn(async () => {
      const others = underWay();
      const free = await storage.freeSpace();
      if (free !== null && free - reserve - others < bytes) throw new StorageFull();
      grant();
    });
  }

  /** Another process may have written meanwhile: the rest of a claim has to fit still. */
  async function confirm({ granted, passed }: Claimed): Promise<void> {
    const free = await storage.freeSpace();
    if (free !== null && free - reserve < granted - passed) throw new StorageFull();
  }

  return {
    check: (bytes) => take(bytes, () => {}),

    async claim(bytes) {
      const claim: Claimed = { granted: bytes ?? 0, passed: 0 };
      await take(claim.granted, () => claims.add(claim));
      return {
        async *through(source) {
          let step = FIRST_STEP;
          let looked = 0;
          for await (const chunk of source) {
            const after = claim.passed + chunk.byteLength;
            if (after > claim.granted) {
              const more = Math.max(step, after - claim.granted);
              await take(more, () => void (claim.granted += more));
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
