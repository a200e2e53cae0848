import type { ContactTopic } from '@bowerbird/contract';
import type { Selectable } from 'kysely';
import {
  beyond,
  type Database,
  type KeysetPosition,
  type Sql,
  type Tx,
} from '../foundation/database/index.ts';
import { removeRowsOfAccount } from '../foundation/database/remove-rows.ts';
import type { ContactTables } from './contact-tables.ts';
import type { ContactMessage } from './contact.ts';

const fromRow = (row: Selectable<ContactTables['contact_message']>): ContactMessage => ({
  id: row.id,
  topic: row.topic,
  email: row.email,
  message: row.message,
  link: row.link,
  account: row.account ?? undefined,
  locale: row.locale,
  createdAt: Number(row.created_at),
});

export const contactStore = {
  async insert(tx: Tx, { account, createdAt, ...message }: ContactMessage): Promise<void> {
    await tx
      .on<ContactTables>()
      .insertInto('contact_message')
      .values({ ...message, account: account ?? null, created_at: createdAt })
      .execute();
  },

  /** Messages since a time, newest first. */
  async since(sql: Sql, time: number, limit: number): Promise<ContactMessage[]> {
    const rows = await sql
      .on<ContactTables>()
      .selectFrom('contact_message')
      .selectAll()
      .where('created_at', '>=', time)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.map(fromRow);
  },

  /** Unhandled messages, newest first; of the given topics, or of all. */
  async unhandled(
    sql: Sql,
    topics: readonly ContactTopic[],
    place: KeysetPosition | undefined,
    limit: number,
  ): Promise<ContactMessage[]> {
    let query = sql
      .on<ContactTables>()
      .selectFrom('contact_message')
      .selectAll()
      .where('handled_at', 'is', null)
      .where('topic', 'in', [...topics])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit);
    if (place) query = query.where(beyond(['created_at', 'id'], place, true));
    return (await query.execute()).map(fromRow);
  },

  async waiting(sql: Sql): Promise<ReadonlyMap<string, number>> {
    const rows = await sql
      .on<ContactTables>()
      .selectFrom('contact_message')
      .select(({ fn }) => ['topic', fn.countAll<number>().as('count')])
      .where('handled_at', 'is', null)
      .groupBy('topic')
      .execute();
    return new Map(rows.map(({ topic, count }) => [topic, Number(count)]));
  },

  /** Returns false if there is no such open message. */
  async handle(tx: Tx, id: string, now: number): Promise<boolean> {
    const result = await tx
      .on<ContactTables>()
      .updateTable('contact_message')
      .set({ handled_at: now })
      .where('id', '=', id)
      .where('handled_at', 'is', null)
      .executeTakeFirst();
    return result.numUpdatedRows > 0n;
  },

  /** Messages of one member, newest first. */
  async by(sql: Sql, account: string): Promise<ContactMessage[]> {
    const rows = await sql
      .on<ContactTables>()
      .selectFrom('contact_message')
      .selectAll()
      .where('account', '=', account)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute();
    return rows.map(fromRow);
  },

  async removeBefore(tx: Tx, time: number): Promise<void> {
    await tx.on<ContactTables>().deleteFrom('contact_message').where('created_at', '<', time).execute();
  },

  /** Deletes the account's messages, in slices. Returns the number of rows removed. */
  eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
    removeRowsOfAccount<ContactTables>(database, ['contact_message'], account, signal),
};
