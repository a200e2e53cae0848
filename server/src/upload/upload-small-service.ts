import { identifySmall, SMALL_FILE } from '@bowerbird/ingest';
import { SizeMismatch, type BlobStore, type Room } from '@bowerbird/storage';
import type { Ids } from '../foundation/index.ts';
import type { Aborting } from './upload-abort-service.ts';
import type { Publishing } from './upload-publish-service.ts';
import { storeKeyOf, type Completed, type KeptContent, type UploadRow } from './upload.ts';

/**
 * Bodies that fit in memory. They are hashed there and written once, to their final place: staging and moving a file
 * takes several times as long as writing a small one. A process that is killed before the file is published leaves
 * bytes without a row, which the collector deletes a day later.
 */
export interface SmallBodies {
  fits(file: { readonly size: number }): boolean;
  /**
   * Stores a body of this size under a key of its own; durable when it resolves. Rejects with the source's own error,
   * SizeMismatch, StorageFull.
   */
  keep(id: string, size: number, source: AsyncIterable<Uint8Array>): Promise<KeptContent>;
  /** Does the same for bytes that are in memory already. */
  keepBytes(id: string, bytes: Uint8Array): Promise<KeptContent>;
  /** Completes an open upload from its body; the file is another request's unless `isWinner`. */
  complete(
    upload: UploadRow,
    source: AsyncIterable<Uint8Array>,
  ): Promise<Completed & { readonly isWinner: boolean }>;
}

export interface SmallBodyDeps {
  readonly storage: BlobStore;
  readonly room: Room;
  readonly publishing: Publishing;
  readonly aborting: Aborting;
  readonly ids: Ids;
}

export function createSmallBodies({ storage, room, publishing, aborting, ids }: SmallBodyDeps): SmallBodies {
  async function store(id: string, bytes: Uint8Array): Promise<KeptContent> {
    const storeKey = storeKeyOf(id, ids.secret().toLowerCase());
    await storage.put(storeKey, bytes).catch((error: unknown) => {
      aborting.letGo(storage.remove(storeKey));
      throw error;
    });
    return { ...identifySmall(bytes), size: bytes.byteLength, storeKey };
  }

  const small: SmallBodies = {
    fits: ({ size }) => size <= SMALL_FILE,

    async keep(id, size, source) {
      const claim = await room.claim(size);
      try {
        return await store(id, await held(claim.through(source), size));
      } finally {
        claim.release();
      }
    },

    async keepBytes(id, bytes) {
      const claim = await room.claim(bytes.byteLength);
      try {
        return await store(id, bytes);
      } finally {
        claim.release();
      }
    },

    async complete(upload, source) {
      const kept = await small.keep(upload.id, upload.size, source);
      const isWinner = await publishing.appear(upload, kept);
      return { hash: kept.hash, size: kept.size, isWinner };
    },
  };
  return small;
}

/** A chunk of the source is valid only until the next one is requested. */
async function held(source: AsyncIterable<Uint8Array>, size: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for await (const chunk of source) {
    if (at + chunk.byteLength > size) throw new SizeMismatch(size, at + chunk.byteLength);
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  if (at !== size) throw new SizeMismatch(size, at);
  return bytes;
}
