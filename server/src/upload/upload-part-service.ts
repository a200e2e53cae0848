import { ApiFailure, gcidBlockSize, LIMITS } from '@bowerbird/contract';
import {
  landPart,
  type Checksums,
  type HashedPart,
  type Hashing,
  type LandedPart,
  type Landing,
} from '@bowerbird/ingest';
import type { BlobStore, Room } from '@bowerbird/storage';
import type { Database } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { PartRecords } from './part-records.ts';
import type { UploadPartStore } from './upload-part-store.ts';
import type { UploadStore } from './upload-store.ts';
import { assumedPosition, stagingIdOf, type PartRow, type UploadRow } from './upload.ts';

export interface PartBody {
  readonly source: AsyncIterable<Uint8Array>;
  /** Undefined if the length of the body is unknown. */
  readonly size: number | undefined;
  /** Start of the part in the file, if its sender says so; a wrong one costs a second read of the part. */
  readonly start?: number | undefined;
}

/** Part that is the whole file. */
export interface WholePart extends LandedPart {
  readonly checksums: Checksums;
}

export interface Parts {
  /** Writes one part of an open upload; durable when it resolves. */
  write(upload: string, number: number, body: PartBody): Promise<LandedPart>;
  /**
   * Writes a body that is the whole file, as a part of its own that no other write replaces. Calls `came`
   * with the hashes of the body once it has arrived, even if it is not held because the upload ended in the
   * meantime.
   */
  writeWhole(upload: UploadRow, body: PartBody, came: (part: HashedPart) => void): Promise<WholePart>;
  /** Passes a body on, and marks its upload as active, so that a slow upload does not count as idle. */
  stillHere(upload: string, source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>;
  /** Returns true if this process is receiving parts of an upload, or has received some that aren't recorded yet. */
  isReceiving(upload: string): boolean;
  /**
   * Lists the held parts by number; parts without a record are hashed when the file is completed. For an upload that is
   * being completed, lists the chosen parts.
   */
  list(upload: string): Promise<PartRow[]>;
}

/** Shortest interval between updates that mark an upload as active while bytes arrive. */
const STILL_HERE_MS = 10 * 60 * 1000;

export interface PartDeps {
  readonly database: Database;
  readonly store: UploadStore;
  readonly partStore: UploadPartStore;
  readonly storage: BlobStore;
  readonly hashing: Hashing;
  readonly records: PartRecords;
  readonly clock: Clock;
  readonly room: Room;
}

export function createParts({
  database,
  store,
  partStore,
  storage,
  hashing,
  records,
  clock,
  room,
}: PartDeps): Parts {
  /** Sizes of the parts that are arriving in this process, by upload and number. */
  const arriving = new Map<string, Map<number, number>>();
  let wholes = 0;

  async function announce<R>(
    upload: string,
    number: number,
    size: number,
    work: (others: readonly number[]) => Promise<R>,
  ): Promise<R> {
    const numbers = arriving.get(upload) ?? new Map<number, number>();
    arriving.set(upload, numbers);
    numbers.set(number, size);
    try {
      return await work([...numbers].flatMap(([other, bytes]) => (other === number ? [] : [bytes])));
    } finally {
      numbers.delete(number);
      if (numbers.size === 0) arriving.delete(upload);
    }
  }

  async function* stillHere(
    upload: string,
    source: AsyncIterable<Uint8Array>,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    let said = clock.now();
    for await (const chunk of source) {
      yield chunk;
      if (clock.now() - said < STILL_HERE_MS) continue;
      said = clock.now();
      await database.transaction((tx) => store.touch(tx, upload, said));
    }
  }

  async function land(
    upload: UploadRow,
    number: number,
    { source, size }: PartBody,
    at: Pick<Landing, 'maxSize' | 'position' | 'came' | 'summed'>,
  ): Promise<LandedPart> {
    const claim = await room.claim(size);
    try {
      const staging = await storage.stage(stagingIdOf(upload.id));
      const landing = {
        number,
        source: claim.through(stillHere(upload.id, source)),
        size,
        total: upload.size,
        block: gcidBlockSize(upload.size),
        ...at,
      };
      return await landPart(staging, landing, hashing);
    } finally {
      claim.release();
    }
  }

  /** Discards the staged parts of a write that outlived its upload. */
  async function gone(upload: string): Promise<never> {
    const row = await store.find(database, upload);
    if (row?.state !== 'open' && row?.state !== 'completing') await storage.discard(stagingIdOf(upload));
    throw new ApiFailure('upload_not_found');
  }

  return {
    async write(id, number, body) {
      if (!Number.isInteger(number) || number < 1 || number > LIMITS.partsMax)
        throw new ApiFailure('invalid_argument', { field: 'partNumber' });
      const upload = await store.find(database, id);
      if (upload?.state !== 'open') throw new ApiFailure('upload_not_found');
      const landed = await records.landed(id, number);
      const part = await announce(id, number, body.size ?? 0, (others) => {
        const room = upload.size - landed.bytes - others.reduce((sum, bytes) => sum + bytes, 0);
        if ((body.size ?? 0) > room) throw new ApiFailure('upload_size_mismatch');
        const position =
          body.start ?? assumedPosition(number, body.size, Math.max(landed.largest, ...others));
        return land(upload, number, body, { maxSize: room, position });
      });
      if ((await store.find(database, id))?.state !== 'open') return gone(id);
      records.add(upload, { ...part, landedAt: clock.now() });
      return part;
    },

    async writeWhole(upload, body, came) {
      wholes = (wholes + 1) % 80_000;
      const number = LIMITS.partsMax + 1 + wholes;
      const { size } = upload;
      const summed = hashing.digests.summed();
      try {
        const part = await announce(upload.id, number, size, () =>
          land(upload, number, { source: body.source, size }, { maxSize: size, position: 0, came, summed }),
        );
        return { ...part, checksums: await summed.end() };
      } catch (error) {
        summed.drop();
        throw error;
      }
    },

    stillHere,
    isReceiving: (id) => arriving.has(id) || records.has(id),

    async list(id) {
      const upload = await store.find(database, id);
      const isHeld = ({ number }: { number: number }): boolean => number <= LIMITS.partsMax;
      const unrecorded = { position: undefined, digests: new Uint8Array(), landedAt: upload?.activeAt ?? 0 };
      if (upload?.state === 'completing')
        return upload.chosen!.filter(isHeld).map((part) => ({ ...part, ...unrecorded }));
      if (upload?.state !== 'open') throw new ApiFailure('upload_not_found');
      await records.flush(id);
      const recorded = new Map(
        (await partStore.list(database, id)).map((row) => [`${row.number} ${row.version}`, row]),
      );
      const staging = await storage.stage(stagingIdOf(id));
      const held = (await staging.parts()).filter(isHeld);
      return held.map((part) => recorded.get(`${part.number} ${part.version}`) ?? { ...part, ...unrecorded });
    },
  };
}
