import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { addAbortSignal } from 'node:stream';
import { gcidBlockSize, type KeptFile } from '@bowerbird/contract';
import { identifyKept, landPart, type HashedPart, type Hashing } from '@bowerbird/ingest';
import type { BlobStore } from '@bowerbird/storage';
import { placeOf } from './engine.ts';

/** Moves complete files from disk into the storage. */
export interface Storing {
  /**
   * Keeps a complete file under its key, hashing it on the way. Calls `onProgress` with the number of stored bytes. A
   * file that an earlier process kept already is only hashed again. Rejects as the storage does, or with the signal's
   * reason; nothing is kept then.
   */
  keep(
    file: { readonly id: string; readonly generation: number; readonly index: number; readonly path: string },
    signal: AbortSignal,
    onProgress?: (bytes: number) => void,
  ): Promise<KeptFile>;
  /** Returns key, size and hashes of a file that is kept already; undefined if there is none. */
  found(id: string, generation: number, index: number, signal: AbortSignal): Promise<KeptFile | undefined>;
  /**
   * Returns key, size and hashes of a file that was just kept from `landed`; reads parts again that were not hashed.
   */
  identify(key: string, landed: readonly HashedPart[], signal: AbortSignal): Promise<KeptFile>;
}

/** Small enough that an interruption costs little, large enough that a terabyte has fewer than ten thousand parts. */
const PART_BYTES = 128 * 1024 * 1024;
const CHUNK_BYTES = 1024 * 1024;

export function createStoring(storage: BlobStore, hashing: Hashing): Storing {
  async function identify(
    key: string,
    landed: readonly HashedPart[],
    signal: AbortSignal,
  ): Promise<KeptFile> {
    const size = landed.reduce((sum, part) => sum + part.size, 0);
    const { hash, gcid, cid } = await identifyKept(readUntil(storage, signal), key, landed, hashing);
    return { storeKey: key, size, hash, gcid, cid };
  }

  async function found(
    id: string,
    generation: number,
    index: number,
    signal: AbortSignal,
  ): Promise<KeptFile | undefined> {
    const { key } = placeOf(id, generation, index);
    const there = await storage.stat(key);
    const unknown = { position: undefined, digests: new Uint8Array() };
    return there ? identify(key, [{ size: there.size, ...unknown }], signal) : undefined;
  }

  return {
    found,
    identify,
    async keep({ id, generation, index, path }, signal, onProgress = () => {}) {
      const there = await found(id, generation, index, signal);
      if (there) return there;
      const { staging: area, key } = placeOf(id, generation, index);
      const { size } = await stat(path);
      const block = gcidBlockSize(size);
      const staging = await storage.stage(area);
      const parts = [];
      for (let start = 0, number = 1; start < size; start += PART_BYTES, number += 1) {
        const end = Math.min(start + PART_BYTES, size);
        const source = createReadStream(path, { start, end: end - 1, highWaterMark: CHUNK_BYTES, signal });
        parts.push(
          await landPart(
            staging,
            { number, source, size: end - start, maxSize: PART_BYTES, total: size, block, position: start },
            hashing,
          ),
        );
        onProgress(end);
      }
      signal.throwIfAborted();
      await staging.keep(
        key,
        parts.map(({ number, size: bytes, version }) => ({ number, size: bytes, version })),
      );
      return identify(key, parts, signal);
    },
  };
}

/** Wraps a storage so that reads end with the signal, since hashing a large file again takes minutes. */
function readUntil(storage: BlobStore, signal: AbortSignal): BlobStore {
  return {
    ...storage,
    async open(key, range) {
      signal.throwIfAborted();
      const blob = await storage.open(key, range);
      addAbortSignal(signal, blob.stream);
      return blob;
    },
  };
}
