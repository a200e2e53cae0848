import { createHash } from 'node:crypto';
import { ApiFailure } from '@bowerbird/contract';
import type { BlobStore } from '@bowerbird/storage';
import type { Blobs } from '../drive/index.ts';
import type { Database } from '../foundation/database/index.ts';
import { BadArchive, UnknownMethod, type OpenArchive, type RandomAccess } from './archive-items.ts';
import { formatOf, FORMAT_BYTES } from './archive-format.ts';
import { packedArchive, packedItems, SealedArchive } from './packed-archive.ts';
import { EngineDied, type Unpacker } from './unpacker.ts';
import { zipArchive, zipItems } from './zip-archive.ts';

export interface ArchiveReading {
  /**
   * Opens an archive and reads its directory; returns what is wrong with the password if the directory is
   * encrypted and can't be opened. Throws `archive_invalid` for broken files and other formats, `unsupported`
   * for archives that can't be read here.
   */
  open(content: { hash: string; size: number }, password: string): Promise<OpenArchive | 'missing' | 'wrong'>;
}

/** Number of directories kept in memory: members usually open an archive several times. */
const HELD = 4;

interface Parts {
  database: Database;
  storage: Pick<BlobStore, 'open'>;
  blobs: Blobs;
  unpacker: Unpacker;
}

export function createArchiveReading({ database, storage, blobs, unpacker }: Parts): ArchiveReading {
  const held = new Map<string, (bytes: RandomAccess) => OpenArchive>();

  async function accessTo({ hash, size }: { hash: string; size: number }): Promise<RandomAccess> {
    const blob = await blobs.byHash(database, hash, size);
    if (!blob || blob.quarantined_at !== null) throw new ApiFailure('file_not_found');
    const stream: RandomAccess['stream'] = async (start, length) =>
      (await storage.open(blob.store_key, { start, end: start + length - 1 }))
        .stream as AsyncIterable<Uint8Array>;
    return {
      size,
      stream,
      async read(start, length) {
        const most = Math.min(length, size - start);
        if (start < 0 || most <= 0) return Buffer.alloc(0);
        return Buffer.concat(await Array.fromAsync(await stream(start, most)));
      },
    };
  }

  async function readDirectory(
    bytes: RandomAccess,
    password: string,
  ): Promise<(bytes: RandomAccess) => OpenArchive> {
    const format = formatOf(await bytes.read(0, FORMAT_BYTES));
    if (format === 'zip') {
      const items = await zipItems(bytes);
      return (again) => zipArchive(unpacker, again, items);
    }
    const items = await packedItems({ unpacker, bytes, format }, password);
    return (again) => packedArchive({ unpacker, bytes: again, format }, items);
  }

  /**
   * Includes the password, so that only those who know it see encrypted names: the same content may belong to
   * several members.
   */
  const keyOf = (hash: string, password: string): string =>
    password === '' ? hash : `${hash} ${createHash('sha256').update(password).digest('hex')}`;

  return {
    async open(content, password) {
      const bytes = await accessTo(content);
      const key = keyOf(content.hash, password);
      try {
        const directory = held.get(key) ?? (await readDirectory(bytes, password));
        held.delete(key);
        held.set(key, directory);
        if (held.size > HELD) held.delete(held.keys().next().value!);
        return directory(bytes);
      } catch (error) {
        if (error instanceof SealedArchive) return password === '' ? 'missing' : 'wrong';
        throw refusalOf(error);
      }
    },
  };
}

function refusalOf(error: unknown): unknown {
  if (error instanceof BadArchive) return new ApiFailure('archive_invalid', { reason: error.message });
  if (error instanceof EngineDied)
    return new ApiFailure('archive_invalid', { reason: 'it cannot be read to its end' });
  if (error instanceof UnknownMethod) return new ApiFailure('unsupported', { format: 'archive' });
  return error;
}
