import type { ContactTopic, Locale } from '@bowerbird/contract';
import type { Selectable } from 'kysely';
import type { Sql, Tx } from '../foundation/database/index.ts';
import type { ContactTables } from './contact-tables.ts';
import type { ContactMessage } from './contact.ts';

const fromRow = ({
  created_at: createdAt,
  account,
  topic,
  locale,
  ...row
}: Selectable<ContactTables['contact_message']>): ContactMessage => ({
  ...row,
  topic: topic as ContactTopic,
  locale: locale as Locale,
  account: account ?? undefined,
  createdAt: Number(createdAt),
});

export const contactStore = {
  async insert(tx: Tx, { account, createdAt, ...message }: ContactMessage): Promise<void> {
    await tx
      .on<ContactTables>()
      .insertInto('contact_message')
      .values({ ...message, account: account ?? null, created_at: createdAt })
      .execute();
  },

  /** From a time on, newest first. */
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

  /** Of one member, newest first. */
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
};
