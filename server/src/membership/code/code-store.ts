import { sql, type Selectable } from 'kysely';
import type { Sql, Tx } from '../../foundation/database/index.ts';
import type { BenefitTables } from '../plan/index.ts';
import type { Batch, Code } from './code.ts';
import type { CodeTables } from './code-tables.ts';

/** Rows of one statement. */
const AT_ONCE = 1000;

const toBatch = (row: Selectable<CodeTables['activation_batch']>): Batch => ({
  id: row.id,
  createdAt: row.created_at,
  count: row.count,
  kind: row.kind,
  plan: row.plan,
  bytes: row.bytes,
  length: row.length,
  uses: row.uses,
  audience: row.audience,
  note: row.note,
  startsAt: row.starts_at,
  endsAt: row.ends_at ?? undefined,
});

const toCode = (row: Selectable<CodeTables['activation_code']>): Code => ({
  digest: row.digest,
  batch: row.batch,
  number: row.number,
  usesLeft: row.uses_left,
});

/** A batch with the number of times that its codes were redeemed. */
export type UsedBatch = Batch & { readonly used: number };

export const codeStore = {
  async insert(tx: Tx, batch: Batch, codes: readonly Code[]): Promise<void> {
    await tx
      .on<CodeTables>()
      .insertInto('activation_batch')
      .values({
        id: batch.id,
        created_at: batch.createdAt,
        count: batch.count,
        kind: batch.kind,
        plan: batch.plan,
        bytes: batch.bytes,
        length: batch.length,
        uses: batch.uses,
        audience: batch.audience,
        note: batch.note,
        starts_at: batch.startsAt,
        ends_at: batch.endsAt ?? null,
      })
      .execute();
    for (let at = 0; at < codes.length; at += AT_ONCE)
      await tx
        .on<CodeTables>()
        .insertInto('activation_code')
        .values(
          codes.slice(at, at + AT_ONCE).map(({ digest, batch: id, number, usesLeft }) => ({
            digest,
            batch: id,
            number,
            uses_left: usesLeft,
          })),
        )
        .execute();
  },

  async find(at: Sql, digest: string): Promise<Code | undefined> {
    const row = await at
      .on<CodeTables>()
      .selectFrom('activation_code')
      .selectAll()
      .where('digest', '=', digest)
      .executeTakeFirst();
    return row && toCode(row);
  },

  async batch(at: Sql, id: string): Promise<Batch | undefined> {
    const row = await at
      .on<CodeTables>()
      .selectFrom('activation_batch')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row && toBatch(row);
  },

  /** Takes one use of a code. Returns false if none is left. */
  async use(tx: Tx, digest: string): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .on<CodeTables>()
      .updateTable('activation_code')
      .set((column) => ({ uses_left: column('uses_left', '-', 1) }))
      .where('digest', '=', digest)
      .where('uses_left', '>', 0)
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  },

  /** Counts a use of a code of the batch. */
  async countUse(tx: Tx, id: string): Promise<void> {
    await tx
      .on<CodeTables>()
      .updateTable('activation_batch')
      .set((column) => ({ used: column('used', '+', 1) }))
      .where('id', '=', id)
      .execute();
  },

  /** Batches, the newest first: those before the given one, if there is one. */
  async newest(at: Sql, { before, limit }: { before?: string; limit: number }): Promise<UsedBatch[]> {
    const rows = await at
      .on<CodeTables>()
      .selectFrom('activation_batch')
      .selectAll()
      .$if(before !== undefined, (query) => query.where('id', '<', before!))
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.map((row) => ({ ...toBatch(row), used: Number(row.used) }));
  },

  /** All batches, oldest first. */
  async list(at: Sql): Promise<UsedBatch[]> {
    const rows = await at.on<CodeTables>().selectFrom('activation_batch').selectAll().orderBy('id').execute();
    return rows.map((row) => ({ ...toBatch(row), used: Number(row.used) }));
  },

  /** Codes of a batch after a number, in order. */
  async codes(at: Sql, batch: string, after: number, limit: number = AT_ONCE): Promise<Code[]> {
    const rows = await at
      .on<CodeTables>()
      .selectFrom('activation_code')
      .selectAll()
      .where('batch', '=', batch)
      .where('number', '>', after)
      .orderBy('number')
      .limit(limit)
      .execute();
    return rows.map(toCode);
  },

  /** Accounts that redeemed codes of a batch, by the reference of their benefit. Accounts that were erased are missing. */
  async redeemers(at: Sql, batch: string): Promise<Map<string, string[]>> {
    const rows = await at
      .on<BenefitTables>()
      .selectFrom('benefit')
      .select(['account', 'reference'])
      .where('cause', '=', 'code')
      .where('reference', 'like', `${batch}/%`)
      .orderBy('granted_at')
      .execute();
    const found = new Map<string, string[]>();
    for (const { account, reference } of rows) {
      const accounts = found.get(reference) ?? [];
      accounts.push(account);
      found.set(reference, accounts);
    }
    return found;
  },

  /** Sets the end of a batch, if it doesn't end earlier. Returns false if it has ended already or doesn't exist. */
  async end(tx: Tx, id: string, at: number): Promise<boolean> {
    const { numUpdatedRows } = await tx
      .on<CodeTables>()
      .updateTable('activation_batch')
      .set({ ends_at: at })
      .where('id', '=', id)
      .where((where) => where.or([where('ends_at', 'is', null), where('ends_at', '>', at)]))
      .executeTakeFirstOrThrow();
    return numUpdatedRows > 0n;
  },

  /** True if there are codes that haven't expired. */
  async hasAny(at: Sql, now: number): Promise<boolean> {
    const row = await at
      .on<CodeTables>()
      .selectFrom('activation_batch')
      .select(sql<number>`1`.as('one'))
      .where((where) => where.or([where('ends_at', 'is', null), where('ends_at', '>', now)]))
      .limit(1)
      .executeTakeFirst();
    return row !== undefined;
  },
};
