import { StorageFull } from './storage-errors.ts';
import type { BlobStore } from './blob-store.ts';

/**
 * How much of a storage may still be written. Bytes on their way are set aside before they come, so that bodies that
 * arrive at the same time never together write what only each of them alone had room for.
 */
export interface Room {
  /**
   * Sets bytes aside; without a number, as many as come, a little at a time. Rejects with StorageFull when what is free
   * would get below the reserve. MUST be released, whatever becomes of the bytes.
   */
  claim(bytes?: number): Promise<RoomClaim>;
  /** Rejects with StorageFull when so many bytes could not be claimed now. Sets nothing aside. */
  check(bytes: number): Promise<void>;
  status(): Promise<RoomStatus>;
}

export interface RoomClaim {
  /** Passes a source on; what it gives is no longer to come. Throws StorageFull where the room has run out meanwhile. */
  through(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined>;
  release(): void;
}

/** All in bytes. */
export interface RoomStatus {
  /** Null where nobody knows: an S3 service does not say. */
  readonly free: number | null;
  /** What is never written. */
  readonly reserve: number;
  /** Set aside by this process for what is arriving. */
  readonly underWay: number;
}

/** So often, in bytes, is looked whether somebody else has filled the disk, and so much is set aside at once for bodies of unknown length. */
const STEP = 4 * 2 ** 20;
/** A small body of unknown length should fit into a small room. */
const FIRST_STEP = 64 * 2 ** 10;
/** Bytes that passed may still be in memory, and not yet missing on the disk. */
const IN_MEMORY = 8 * 2 ** 20;

interface Claimed {
  granted: number;
  passed: number;
}

/** `reserve` is what stays free: a database on the same disk has to go on writing. */
export function createRoom(storage: Pick<BlobStore, 'freeSpace'>, reserve: number): Room {
  const claims = new Set<Claimed>();
  let turn: Promise<unknown> = Promise.resolve();

  const underWay = (): number => {
    let bytes = 0;
    for (const { granted, passed } of claims) bytes += granted - Math.max(0, passed - IN_MEMORY);
    return bytes;
  };

  /** One after the other: whoever comes next sees what was granted before. */
  function inTurn<R>(work: () => Promise<R>): Promise<R> {
    const done = turn.then(work, work);
    turn = done.catch(() => {});
    return done;
  }

  /** Has `grant` called where so many bytes fit beside everything that is under way. */
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
