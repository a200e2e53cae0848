import type { BlobStore } from '@bowerbird/storage';
import { sql } from 'kysely';
import { createFolderSizeStore } from '../src/drive/folder-size/index.ts';
import { compareEntries, createNameIndexStore, nameEntry, packBlock } from '../src/drive/name-index/index.ts';
import { typeKey, nameFold, nameKey } from '../src/drive/name-key.ts';
import type { Database } from '../src/foundation/database/index.ts';
import type { Ids } from '../src/foundation/index.ts';

/** A node to insert into a large drive without uploading it. */
export interface Sapling {
  readonly id: string;
  readonly parent: string;
  readonly kind: 0 | 1;
  readonly name: string;
  readonly size?: number;
  readonly modifiedAt?: number;
}

const SLICE = 2000;
const HASH = 'f0'.repeat(32);
const STORE_KEY = 'blob/f0/forest';
export const SAPLING_SIZE = 1000;
/** Storage limit of the owner of a forest. */
const ROOM = 2 ** 50;

/**
 * Inserts any number of nodes directly into the tables, charged to their owner, whose limit is raised. All files share the bytes of
 * one blob.
 */
export async function growForest(
  { database, ids, storage }: { database: Database; ids: Ids; storage: BlobStore },
  account: string,
  saplings: Iterable<Sapling>,
): Promise<void> {
  const now = Date.now();
  const slices: Sapling[][] = [[]];
  for (const sapling of saplings) {
    if (slices.at(-1)!.length >= SLICE) slices.push([]);
    slices.at(-1)!.push(sapling);
  }
  await storage.put(STORE_KEY, new Uint8Array(SAPLING_SIZE));
  const blob = await database.transaction(async (tx) => {
    await sql`insert into blob (hash, size, gcid, cid, store_key, created_at) values (${HASH}, ${SAPLING_SIZE}, 'F0', 'F0', ${STORE_KEY}, ${now}) on conflict do nothing`.execute(
      tx.on(),
    );
    return (await sql<{ id: number }>`select id from blob where hash = ${HASH}`.execute(tx.on())).rows[0]!.id;
  });
  for (const slice of slices) {
    const rows = slice.map(({ id, parent, kind, name, size = SAPLING_SIZE, modifiedAt = now }) => [
      id,
      parent,
      kind,
      name,
      nameFold(name),
      nameKey(name),
      typeKey(name, kind),
      kind === 0 ? 0 : size,
      kind === 0 ? null : blob,
      modifiedAt,
    ]);
    const from =
      database.dialect === 'postgres'
        ? sql`json_array_elements(${JSON.stringify(rows)}::json) as e (value)`
        : sql`json_each(${JSON.stringify(rows)}) as e`;
    const at = (index: number) => sql.raw(`(e.value ->> ${index})`);
    const number = (index: number) => sql`cast(${at(index)} as bigint)`;
    await database.transaction(async (tx) => {
      await sql`insert into node (id, account, parent, kind, name, name_fold, name_key, type_key, size, blob, created_at, modified_at)
        select ${at(0)}, ${account}, ${at(1)}, ${number(2)}, ${at(3)}, ${at(4)}, ${at(5)}, ${at(6)}, ${number(7)}, ${number(8)}, ${number(9)}, ${number(9)} from ${from}`.execute(
        tx.on(),
      );
      const entries = slice.map(nameEntry).toSorted(compareEntries);
      await createNameIndexStore().insert(tx, {
        account,
        id: ids.next(),
        entries: entries.length,
        newest: entries[0]!.id,
        filter: null,
        data: packBlock(entries),
      });
      const bytes = rows.reduce((sum, row) => sum + (row[7] as number), 0);
      await sql`update quota set storage_limit = ${ROOM}, limit_own = ${ROOM}, storage_used = storage_used + ${bytes} where account = ${account}`.execute(
        tx.on(),
      );
      await sql`insert into ledger (id, account, resource, amount, reason, reference, at)
        select ${ids.next()}, ${account}, 'limit', ${ROOM} - coalesce(sum(amount), 0), 'administrator', 'base', ${now}
        from ledger where account = ${account} and resource = 'limit'`.execute(tx.on());
      await sql`insert into ledger (id, account, resource, amount, reason, reference, at) values (${ids.next()}, ${account}, 'storage', ${bytes}, 'upload', '', ${now})`.execute(
        tx.on(),
      );
    });
  }
  await database.transaction(async (tx) => {
    const { rows } = await sql<{
      id: string;
    }>`select id from node where account = ${account} and parent = account and kind = 0`.execute(tx.on());
    await createFolderSizeStore().recount(
      tx,
      rows.map(({ id }) => id),
    );
  });
}

/**
 * Generates nested folders with files, `count` nodes in total, in the order in which they can be inserted.
 */
export function* forest(
  ids: Ids,
  root: string,
  count: number,
  { perFolder = 100, depth = 3 } = {},
): Generator<Sapling> {
  let made = 0;
  const open: { id: string; depth: number }[] = [{ id: root, depth: 0 }];
  for (let at = 0; made < count; at++) {
    const folder = open[at % open.length]!;
    for (let entry = 0; entry < perFolder && made < count; entry++, made++) {
      const isFolder = entry % 50 === 0 && folder.depth < depth;
      const id = ids.next();
      if (isFolder) open.push({ id, depth: folder.depth + 1 });
      yield {
        id,
        parent: folder.id,
        kind: isFolder ? 0 : 1,
        name: isFolder ? `Folder ${at}-${entry}` : `photo ${at}-${entry}.jpg`,
        modifiedAt: 1_700_000_000_000 + ((made * 7919) % 1_000_000),
      };
    }
  }
}
