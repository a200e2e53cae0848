import { Readable } from 'node:stream';
import type { BlobStore, OpenBlob, Staging } from '@bowerbird/storage';
import type { Guard } from './gate.ts';

/**
 * Wraps a storage so that its own connections may go to private addresses. The bodies that it writes come from
 * strangers: they are read as untrusted work, so that reading a body opens no connection with the storage's
 * permissions.
 */
export function trustedStorage(storage: BlobStore, { trusted, untrusted }: Guard): BlobStore {
  function strange(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> {
    return {
      [Symbol.asyncIterator]() {
        const chunks = untrusted(() => source[Symbol.asyncIterator]());
        return {
          next: () => untrusted(() => chunks.next()),
          return: async () => (await untrusted(() => chunks.return?.())) ?? { done: true, value: undefined },
        };
      },
    };
  }

  const staging = (area: Staging): Staging => ({
    uploadId: area.uploadId,
    writePart: (number, source, options) => trusted(() => area.writePart(number, strange(source), options)),
    parts: () => trusted(() => area.parts()),
    keep: (key, parts) => trusted(() => area.keep(key, parts)),
  });

  // A stream may connect when it is read, long after it was opened.
  const blob = ({ size, length, stream, pipeTo }: OpenBlob): OpenBlob => ({
    size,
    length,
    stream: Readable.from(trusting(stream), { objectMode: false }),
    pipeTo: (sink) => trusted(() => pipeTo((chunk) => untrusted(() => sink(chunk)))),
  });

  async function* trusting<T>(source: AsyncIterable<T>): AsyncGenerator<T, void, undefined> {
    const items = trusted(() => source[Symbol.asyncIterator]());
    try {
      for (let item = await trusted(() => items.next()); !item.done; item = await trusted(() => items.next()))
        yield item.value;
    } finally {
      await trusted(() => items.return?.());
    }
  }

  return {
    capabilities: storage.capabilities,
    stage: async (uploadId) => staging(await trusted(() => storage.stage(uploadId))),
    discard: (uploadId) => trusted(() => storage.discard(uploadId)),
    staged: () => trusting(storage.staged()),
    put: (key, bytes) => trusted(() => storage.put(key, bytes)),
    open: async (key, range) => blob(await trusted(() => storage.open(key, range))),
    stat: (key) => trusted(() => storage.stat(key)),
    remove: (key) => trusted(() => storage.remove(key)),
    list: (prefix) => trusting(storage.list(prefix)),
    health: () => trusted(() => storage.health()),
    freeSpace: () => trusted(() => storage.freeSpace()),
    close: () => trusted(() => storage.close()),
  };
}
