import { sql, type RawBuilder } from 'kysely';
import type { Sql } from '../foundation/database/index.ts';
import type { MembershipTables } from './membership-tables.ts';
import type { LedgerEntry } from './membership.ts';

/** Changes with one cause, as the ledger stores it. */
export type LedgerCause = Pick<LedgerEntry, 'resource' | 'reason'>;

export interface LedgerRange {
  readonly causes: readonly LedgerCause[];
  /** Least id, inclusive. */
  readonly from: string;
  /** Exclusive. */
  readonly before: string;
  readonly limit: number;
}

const RESOURCES = ['limit', 'storage'] as const satisfies readonly LedgerEntry['resource'][];

export const ledgerStore = {
  /** Returns the causes that occur in an account's ledger. Reads one row of each, however many there are. */
  async causes(at: Sql, account: string): Promise<LedgerCause[]> {
    const found: LedgerCause[] = [];
    for (const resource of RESOURCES) {
      const { rows } = await sql<{ reason: string }>`
        with recursive seen (reason) as (
          select min(reason) from ledger where account = ${account} and resource = ${resource}
          union all
          select (select min(reason) from ledger where account = ${account} and resource = ${resource} and reason > seen.reason)
          from seen where seen.reason is not null
        )
        select reason from seen where reason is not null`.execute(at.on());
      found.push(...rows.map(({ reason }) => ({ resource, reason })));
    }
    return found;
  },

  /**
   * Returns the newest changes of a range. Reads at most `limit` rows of each cause, from the index: the cost does not
   * grow with the ledger.
   */
  async newest(
    at: Sql,
    account: string,
    { causes, from, before, limit }: LedgerRange,
  ): Promise<LedgerEntry[]> {
    if (causes.length === 0) return [];
    const newestOf = ({ resource, reason }: LedgerCause): RawBuilder<unknown> => sql`
      select * from (
        select id, account, resource, amount, reason, reference, at from ledger
        where account = ${account} and resource = ${resource} and reason = ${reason}
          and id >= ${from} and id < ${before}
        order by id desc limit ${limit}
      ) as one_cause`;
    const { rows } = await sql<LedgerEntry>`
      select * from (${sql.join(causes.map(newestOf), sql` union all `)}) as entries
      order by id desc limit ${limit}`.execute(at.on());
    return rows;
  },

  /** Returns what the account's limit consists of, by reference, as the ledger has it, and when each last changed. */
  async limitParts(
    at: Sql,
    account: string,
  ): Promise<Map<string, { bytes: number; reason: string; since: number }>> {
    const rows = await at
      .on<MembershipTables>()
      .selectFrom('ledger')
      .select(({ fn }) => [
        'reference',
        fn.sum<number>('amount').as('bytes'),
        fn.max('reason').as('reason'),
        fn.max('at').as('since'),
      ])
      .where('account', '=', account)
      .where('resource', '=', 'limit')
      .groupBy('reference')
      .execute();
    return new Map(
      rows.map(({ reference, bytes, reason, since }) => [
        reference,
        { bytes: Number(bytes), reason, since: Number(since) },
      ]),
    );
  },

  /** Returns the sum of all changes of the usage. */
  async ledgerTotal(at: Sql, account: string): Promise<number> {
    const row = await at
      .on<MembershipTables>()
      .selectFrom('ledger')
      .select(({ fn }) => fn.sum<number>('amount').as('total'))
      .where('account', '=', account)
      .where('resource', '=', 'storage')
      .executeTakeFirst();
    return Number(row?.total ?? 0);
  },
};
