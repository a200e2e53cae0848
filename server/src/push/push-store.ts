import { createHash } from 'node:crypto';
import type { Locale } from '@bowerbird/contract';
import type { Selectable } from 'kysely';
import { noteChanged, type Database, type Sql, type Tx } from '../foundation/database/index.ts';
import { removeRowsOfAccount } from '../foundation/database/remove-rows.ts';
import type { PushTables } from './push-tables.ts';
import type { PushDeviceRow } from './push.ts';

function fromRow(row: Selectable<PushTables['push_device']>): PushDeviceRow {
  return {
    id: row.id,
    account: row.account,
    session: row.session,
    endpoint: row.endpoint,
    p256dh: row.p256dh,
    auth: row.auth,
    name: row.name,
    locale: row.locale as Locale,
    withNames: row.with_names === 1,
    createdAt: row.created_at,
    sentAt: row.sent_at ?? undefined,
  };
}

const hashOf = (endpoint: string): string => createHash('sha256').update(endpoint).digest('base64url');

export const pushStore = {
  /** Adds a device, or replaces the one with this endpoint, whoever had it. */
  async put(tx: Tx, device: PushDeviceRow): Promise<void> {
    const db = tx.on<PushTables>();
    const endpointHash = hashOf(device.endpoint);
    await db.deleteFrom('push_device').where('endpoint_hash', '=', endpointHash).execute();
    await db
      .insertInto('push_device')
      .values({
        id: device.id,
        account: device.account,
        session: device.session,
        endpoint: device.endpoint,
        endpoint_hash: endpointHash,
        p256dh: device.p256dh,
        auth: device.auth,
        name: device.name,
        locale: device.locale,
        with_names: device.withNames ? 1 : 0,
        created_at: device.createdAt,
        sent_at: device.sentAt ?? null,
      })
      .execute();
    noteChanged(tx, 'account', [device]);
  },

  async of(at: Sql, account: string): Promise<PushDeviceRow[]> {
    const rows = await at
      .on<PushTables>()
      .selectFrom('push_device')
      .selectAll()
      .where('account', '=', account)
      .orderBy('id', 'desc')
      .execute();
    return rows.map(fromRow);
  },

  async find(at: Sql, id: string): Promise<PushDeviceRow | undefined> {
    const row = await at
      .on<PushTables>()
      .selectFrom('push_device')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst();
    return row && fromRow(row);
  },

  async sent(tx: Tx, id: string, now: number): Promise<void> {
    await tx.on<PushTables>().updateTable('push_device').set({ sent_at: now }).where('id', '=', id).execute();
  },

  eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
    removeRowsOfAccount<PushTables>(database, ['push_device'], account, signal),

  async remove(tx: Tx, { id, account }: Pick<PushDeviceRow, 'id' | 'account'>): Promise<void> {
    const removed = await tx
      .on<PushTables>()
      .deleteFrom('push_device')
      .where('id', '=', id)
      .where('account', '=', account)
      .returning('account')
      .execute();
    noteChanged(tx, 'account', removed);
  },
};
