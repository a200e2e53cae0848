import type { Selectable } from 'kysely';
import { createStatements, type Sql, type Tx } from '../foundation/database/index.ts';
import type { UploadTables } from './upload-tables.ts';
import type { PartRow } from './upload.ts';

/** Number of stored writes of one part: the current one, and one that may replace it. */
const WRITES_KEPT = 2;

function fromPartRow(row: Selectable<UploadTables['upload_part']>): PartRow {
  const { number, version, size, position, digests } = row;
  return {
    number,
    version,
    size,
    position: position ?? undefined,
    digests: Buffer.from(digests, 'base64'),
    landedAt: row.created_at,
  };
}

/** Writes of the parts of uploads. */
export function createUploadPartStore() {
  const statements = createStatements();
  return {
    async add(tx: Tx, id: string, part: PartRow): Promise<void> {
      const db = tx.on<UploadTables>();
      const earlier = await db
        .selectFrom('upload_part')
        .select(['version'])
        .where('upload', '=', id)
        .where('number', '=', part.number)
        .orderBy('created_at', 'desc')
        .execute();
      const stale = earlier.slice(WRITES_KEPT - 1).map(({ version }) => version);
      if (stale.length > 0)
        await db
          .deleteFrom('upload_part')
          .where('upload', '=', id)
          .where('number', '=', part.number)
          .where('version', 'in', stale)
          .execute();
      await db
        .insertInto('upload_part')
        .values({
          upload: id,
          number: part.number,
          version: part.version,
          size: part.size,
          position: part.position ?? null,
          digests: Buffer.from(part.digests).toString('base64'),
          created_at: part.landedAt,
        })
        .execute();
    },

    /** All recorded writes, by number. */
    async list(sql: Sql, id: string): Promise<PartRow[]> {
      const rows = await sql
        .on<UploadTables>()
        .selectFrom('upload_part')
        .selectAll()
        .where('upload', '=', id)
        .orderBy('number')
        .execute();
      return rows.map(fromPartRow);
    },

    /** Total bytes and largest part, without the parts of some numbers. */
    async landed(
      sql: Sql,
      id: string,
      exceptNumbers: readonly number[],
    ): Promise<{ bytes: number; largest: number }> {
      const row = await sql
        .on<UploadTables>()
        .selectFrom((from) =>
          from
            .selectFrom('upload_part')
            .select(({ fn }) => fn.max('size').as('size'))
            .where('upload', '=', id)
            .$if(exceptNumbers.length > 0, (parts) => parts.where('number', 'not in', exceptNumbers))
            .groupBy('number')
            .as('part'),
        )
        .select(({ fn }) => [
          fn.sum<number | null>('size').as('bytes'),
          fn.max<number | null>('size').as('largest'),
        ])
        .executeTakeFirst();
      return { bytes: Number(row?.bytes ?? 0), largest: Number(row?.largest ?? 0) };
    },

    /** Returns true if there were any. */
    async clear(tx: Tx, id: string): Promise<boolean> {
      const deleted = await statements.change(tx, 'clear', { id }, (value) =>
        tx.on<UploadTables>().deleteFrom('upload_part').where('upload', '=', value.id),
      );
      return deleted > 0;
    },
  };
}

export type UploadPartStore = ReturnType<typeof createUploadPartStore>;
