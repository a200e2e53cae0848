import type { Sql, Tx } from '../../foundation/database/index.ts';
import type { InvitationTables } from './invitation-tables.ts';
import type { Trace, TraceKind } from './newcomer.ts';

const CHUNK = 50;

export const newcomerStore = {
  /** Records traces of an account; those that exist get the new time. */
  async record(tx: Tx, traces: readonly Trace[], holder: string, at: number): Promise<void> {
    for (const { kind, hash } of traces)
      await tx
        .on<InvitationTables>()
        .insertInto('newcomer_trace')
        .values({ kind, hash, holder, at })
        .onConflict((conflict) => conflict.columns(['kind', 'hash', 'holder']).doUpdateSet({ at }))
        .execute();
  },

  /** Returns true if any of these traces of the account exists. */
  async has(sql: Sql, traces: readonly Trace[], holder: string): Promise<boolean> {
    for (const { kind, hash } of traces) {
      const row = await sql
        .on<InvitationTables>()
        .selectFrom('newcomer_trace')
        .select('at')
        .where('kind', '=', kind)
        .where('hash', '=', hash)
        .where('holder', '=', holder)
        .executeTakeFirst();
      if (row) return true;
    }
    return false;
  },

  /** Returns the number of other accounts with any of these hashes since a time; the highest number of one hash. */
  async others(
    sql: Sql,
    kind: TraceKind,
    hashes: readonly string[],
    { holder, since }: { holder: string; since: number },
  ): Promise<number> {
    let most = 0;
    for (let at = 0; at < hashes.length; at += CHUNK) {
      const rows = await sql
        .on<InvitationTables>()
        .selectFrom('newcomer_trace')
        .select(({ fn }) => ['hash', fn.countAll().as('count')])
        .where('kind', '=', kind)
        .where('hash', 'in', hashes.slice(at, at + CHUNK))
        .where('holder', '<>', holder)
        .where('at', '>', since)
        .groupBy('hash')
        .execute();
      most = Math.max(most, ...rows.map(({ count }) => Number(count)));
    }
    return most;
  },

  async removeBefore(tx: Tx, kind: TraceKind, before: number): Promise<void> {
    await tx
      .on<InvitationTables>()
      .deleteFrom('newcomer_trace')
      .where('kind', '=', kind)
      .where('at', '<=', before)
      .execute();
  },
};
