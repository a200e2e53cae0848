import { chunkSize, resolveRange, sliceSegments, streamSlices } from './byte-stream.ts';
import { checkKey, checkPartNumber, checkUploadId } from './names.ts';
import { checkedFlow } from './part-flow.ts';
import { checkChoices, chooseParts, latestParts, nextVersion } from './parts.ts';
import { pipeStream } from './pipe.ts';
import { BlobNotFound, KeyTaken, StagingGone } from './storage-errors.ts';
import type { BlobStore, StagedPart, Staging } from './blob-store.ts';

interface MemoryPart extends StagedPart {
  readonly bytes: Buffer;
}

interface Area {
  modifiedAt: Date;
  readonly parts: Map<number, MemoryPart>;
}

interface MemoryBlob {
  readonly bytes: Buffer;
  readonly fromParts: boolean;
  modifiedAt: Date;
}

/** A store in this process's memory, for tests. `now` is the clock. */
export function createMemoryStore({ now = () => new Date() }: { now?: () => Date } = {}): BlobStore {
  const areas = new Map<string, Area>();
  const blobs = new Map<string, MemoryBlob>();

  const staging = (uploadId: string, area: Area): Staging => ({
    uploadId,
    async writePart(number, source, options = {}) {
      checkPartNumber(number);
      const chunks: Uint8Array[] = [];
      for await (const chunk of checkedFlow(source, options)) chunks.push(chunk);
      if (areas.get(uploadId) !== area) throw new StagingGone(uploadId);
      const bytes = Buffer.concat(chunks);
      const version = nextVersion([...area.parts.values()].filter((part) => part.number === number));
      area.parts.set(number, { number, size: bytes.length, version, bytes });
      area.modifiedAt = now();
      return { size: bytes.length, version };
    },
    async parts() {
      return latestParts(area.parts.values()).map(({ number, size, version }) => ({ number, size, version }));
    },
    async keep(key, choices) {
      checkKey(key);
      const size = checkChoices(choices);
      const kept = blobs.get(key);
      if (kept && kept.bytes.length !== size) throw new KeyTaken(key);
      if (kept) kept.modifiedAt = now();
      else {
        if (areas.get(uploadId) !== area) throw new StagingGone(uploadId);
        const bytes = Buffer.concat(chooseParts(area.parts.values(), choices).map((part) => part.bytes));
        blobs.set(key, { bytes, fromParts: true, modifiedAt: now() });
      }
      forget(uploadId);
    },
  });

  const forget = (uploadId: string) => {
    areas.get(uploadId)?.parts.clear();
    areas.delete(uploadId);
  };

  return {
    capabilities: { reach: 'process', durable: false },
    async stage(uploadId) {
      checkUploadId(uploadId);
      const area = areas.get(uploadId) ?? { modifiedAt: now(), parts: new Map() };
      area.modifiedAt = now();
      areas.set(uploadId, area);
      return staging(uploadId, area);
    },
    async discard(uploadId) {
      checkUploadId(uploadId);
      forget(uploadId);
    },
    async *staged() {
      for (const [uploadId, { modifiedAt }] of [...areas]) yield { uploadId, modifiedAt };
    },
    async put(key, bytes) {
      checkKey(key);
      if (blobs.get(key)?.fromParts) throw new KeyTaken(key);
      blobs.set(key, { bytes: Buffer.from(bytes), fromParts: false, modifiedAt: now() });
    },
    async open(key, range) {
      checkKey(key);
      const blob = blobs.get(key);
      if (!blob) throw new BlobNotFound(key);
      const size = blob.bytes.length;
      const { start, length } = resolveRange(size, range);
      const slices = sliceSegments([{ name: key, size }], start, length);
      const stream = streamSlices(key, slices, async function* ({ start, length }) {
        for (let at = start; at < start + length; at += chunkSize) {
          // Copies, because readers own the chunks that they get from any engine.
          yield Buffer.from(blob.bytes.subarray(at, Math.min(at + chunkSize, start + length)));
        }
      });
      return { size, length, stream, pipeTo: (sink) => pipeStream(stream, sink) };
    },
    async stat(key) {
      checkKey(key);
      const blob = blobs.get(key);
      return blob ? { size: blob.bytes.length } : null;
    },
    async remove(key) {
      checkKey(key);
      blobs.delete(key);
    },
    async *list(prefix) {
      for (const [key, { bytes, modifiedAt }] of [...blobs]) {
        if (key.startsWith(prefix)) yield { key, size: bytes.length, modifiedAt };
      }
    },
    async health() {},
    async freeSpace() {
      return null;
    },
    async close() {},
  };
}
