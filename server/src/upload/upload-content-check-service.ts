import { checksumsOf, digestsOf, identifyKept, type Hashing } from '@bowerbird/ingest';
import { BlobDamaged, BlobNotFound, type BlobStore } from '@bowerbird/storage';
import type { BlobRow, Blobs, Finding } from '../drive/index.ts';
import type { Database } from '../foundation/database/index.ts';

/** Verifies that the bytes of files match their rows. */
export interface ContentCheck {
  /** Reads all bytes of all files. Repairs checksums that are wrong if the content itself is right. */
  check(options: { repair: boolean }): Promise<Finding[]>;
}

const SLICE = 100;

export function createContentCheck({
  database,
  storage,
  hashing,
  blobs,
}: {
  database: Database;
  storage: BlobStore;
  hashing: Hashing;
  blobs: Blobs;
}): ContentCheck {
  /** Recomputed hashes of a row's bytes; undefined if they can't be read. */
  async function known({ store_key: key, size }: BlobRow) {
    try {
      const { stream } = await storage.open(key);
      const part = await digestsOf(stream, size, hashing);
      const content = await identifyKept(storage, key, [part], hashing);
      return { ...content, ...(await checksumsOf(storage, key, hashing, async () => {})) };
    } catch (error) {
      // The check of rows and objects reports these.
      if (error instanceof BlobDamaged || error instanceof BlobNotFound) return undefined;
      throw error;
    }
  }

  async function findingsOf(row: BlobRow, repair: boolean): Promise<Finding[]> {
    const found = await known(row);
    if (!found) return [];
    const { sha1, md5 } = found;
    const wrong = (names: readonly (keyof typeof found & keyof BlobRow)[]): string =>
      names
        .filter((name) => row[name] !== null && row[name] !== found[name])
        .map((name) => `recorded ${name} ${row[name]}, found ${found[name]}`)
        .join('; ');
    const content = wrong(['hash', 'gcid', 'cid']);
    if (content !== '') return [{ what: 'blob-content', id: row.hash, detail: content, repaired: false }];
    const checksums = wrong(['sha1', 'md5']);
    if (checksums === '') return [];
    if (repair) await database.transaction((tx) => blobs.setChecksums(tx, row.hash, { sha1, md5 }));
    return [{ what: 'blob-checksum', id: row.hash, detail: checksums, repaired: repair }];
  }

  return {
    async check({ repair }) {
      const findings: Finding[] = [];
      for (let after = ''; ;) {
        const rows = await blobs.after(database, after, SLICE);
        for (const row of rows) findings.push(...(await findingsOf(row, repair)));
        if (rows.length < SLICE) return findings;
        after = rows.at(-1)!.hash;
      }
    },
  };
}
