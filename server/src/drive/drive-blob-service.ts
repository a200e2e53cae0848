import type { Sql, Tx } from '../foundation/database/index.ts';
import type { BlobRow } from './drive.ts';

export interface NewBlob {
  /** SHA-256 over the raw SHA-256 digests of the blocks, lower-case hex. */
  readonly hash: string;
  readonly size: number;
  readonly gcid: string;
  readonly cid: string;
  readonly storeKey: string;
}

export interface Blobs {
  /** Makes the row of bytes that are durable. Where the content is known already, its row is given and the caller removes its own bytes after the commit. */
  ensure(tx: Tx, blob: NewBlob): Promise<{ row: BlobRow; known: boolean }>;
  byHash(sql: Sql, hash: string, size: number): Promise<BlobRow | undefined>;
  byGcid(sql: Sql, gcid: string, size: number): Promise<BlobRow | undefined>;
  /** Content that lies in the asker's own drive (trash included): the only kind that needs no upload. */
  ownedBy(sql: Sql, account: string, gcid: string, size: number): Promise<BlobRow | undefined>;
}
