import { matchLocale, type Locale } from '@bowerbird/contract';
import type { Selectable } from 'kysely';
import {
  beyond,
  createStatements,
  type KeysetPosition,
  type Sql,
  type Tx,
} from '../foundation/database/index.ts';
import type { AccountTables } from './account-tables.ts';
import type { AccountRow, Role, Status } from './account.ts';

/** Fields that an owner may change without confirming their identity. */
export interface AccountChanges {
  readonly name?: string | undefined;
  readonly locale?: Locale | undefined;
  readonly newDeviceMail?: boolean | undefined;
  readonly planMail?: boolean | undefined;
}

function fromRow(row: Selectable<AccountTables['account']>): AccountRow {
  return {
    id: row.id,
    email: row.email ?? '',
    phone: row.phone ?? '',
    name: row.name,
    picture: row.picture,
    passwordHash: row.password_hash ?? undefined,
    role: row.role,
    status: row.status,
    locale: matchLocale(row.locale),
    createdAt: row.created_at,
    passwordUpdatedAt: row.password_updated_at ?? undefined,
    newDeviceMail: row.new_device_mail === 1,
    planMail: row.plan_mail === 1,
    closesAt: row.closes_at ?? undefined,
  };
}

export function createAccountStore() {
  const statements = createStatements();
  return {
    /**
     * Returns false if the address already belongs to an account; throws the database's unique violation if the
     * phone does.
     */
    async insert(tx: Tx, account: AccountRow, emailKey: string): Promise<boolean> {
      const result = await tx
        .on<AccountTables>()
        .insertInto('account')
        .values({
          id: account.id,
          email: account.email || null,
          email_key: emailKey || null,
          phone: account.phone || null,
          name: account.name,
          picture: account.picture,
          password_hash: account.passwordHash ?? null,
          role: account.role,
          status: account.status,
          locale: account.locale ?? null,
          created_at: account.createdAt,
          password_updated_at: account.passwordUpdatedAt ?? null,
          closes_at: account.closesAt ?? null,
        })
        .onConflict((conflict) => conflict.column('email_key').where('email_key', 'is not', null).doNothing())
        .executeTakeFirst();
      return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
    },

    async find(sql: Sql, id: string): Promise<AccountRow | undefined> {
      const [row] = await statements.rows(sql, 'find', { id }, (value) =>
        sql.on<AccountTables>().selectFrom('account').selectAll().where('id', '=', value.id),
      );
      return row && fromRow(row);
    },

    /** Finds an account by the key of an address, or by a phone number. */
    async byContact(sql: Sql, key: string): Promise<AccountRow | undefined> {
      const row = await sql
        .on<AccountTables>()
        .selectFrom('account')
        .selectAll()
        .where(key.includes('@') ? 'email_key' : 'phone', '=', key)
        .executeTakeFirst();
      return row && fromRow(row);
    },

    async hasAny(sql: Sql): Promise<boolean> {
      const row = await sql
        .on<AccountTables>()
        .selectFrom('account')
        .select('id')
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    async hasOperator(sql: Sql): Promise<boolean> {
      const row = await sql
        .on<AccountTables>()
        .selectFrom('account')
        .select('id')
        .where('role', '=', 'operator')
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    async operators(sql: Sql): Promise<AccountRow[]> {
      const rows = await sql
        .on<AccountTables>()
        .selectFrom('account')
        .selectAll()
        .where('role', '=', 'operator')
        .execute();
      return rows.map(fromRow);
    },

    /** Lists accounts, the oldest first. */
    async list(
      sql: Sql,
      place: KeysetPosition | undefined,
      limit: number,
      status?: Status,
    ): Promise<AccountRow[]> {
      let query = sql.on<AccountTables>().selectFrom('account').selectAll().orderBy('id').limit(limit);
      if (place) query = query.where(beyond(['id'], place, false));
      if (status) query = query.where('status', '=', status);
      return (await query.execute()).map(fromRow);
    },

    async counts(sql: Sql): Promise<{ all: number; waiting: number; frozen: number }> {
      const rows = await sql
        .on<AccountTables>()
        .selectFrom('account')
        .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
        .groupBy('status')
        .execute();
      const of = (status: Status): number => Number(rows.find((row) => row.status === status)?.count ?? 0);
      return {
        all: rows.reduce((sum, { count }) => sum + Number(count), 0),
        waiting: of('waiting'),
        frozen: of('frozen'),
      };
    },

    async setRole(tx: Tx, id: string, role: Role): Promise<void> {
      tx.changed(id, 'account');
      await tx.on<AccountTables>().updateTable('account').set({ role }).where('id', '=', id).execute();
    },

    async setPassword(tx: Tx, id: string, hash: string, now: number): Promise<void> {
      tx.changed(id, 'account');
      await tx
        .on<AccountTables>()
        .updateTable('account')
        .set({ password_hash: hash, password_updated_at: now })
        .where('id', '=', id)
        .execute();
    },

    /** Throws the database's unique violation if the address belongs to another account. */
    async setEmail(tx: Tx, id: string, email: string, emailKey: string): Promise<void> {
      tx.changed(id, 'account');
      await tx
        .on<AccountTables>()
        .updateTable('account')
        .set({ email, email_key: emailKey })
        .where('id', '=', id)
        .execute();
    },

    /** Throws the database's unique violation if the number belongs to another account. */
    async setPhone(tx: Tx, id: string, phone: string): Promise<void> {
      tx.changed(id, 'account');
      await tx
        .on<AccountTables>()
        .updateTable('account')
        .set({ phone: phone || null })
        .where('id', '=', id)
        .execute();
    },

    async setPicture(tx: Tx, id: string, picture: string): Promise<void> {
      tx.changed(id, 'account');
      await tx.on<AccountTables>().updateTable('account').set({ picture }).where('id', '=', id).execute();
    },

    async hasPicture(sql: Sql, picture: string): Promise<boolean> {
      const row = await sql
        .on<AccountTables>()
        .selectFrom('account')
        .select('id')
        .where('picture', '=', picture)
        .where('picture', '<>', '')
        .executeTakeFirst();
      return row !== undefined;
    },

    async change(
      tx: Tx,
      id: string,
      { name, locale, newDeviceMail, planMail }: AccountChanges,
    ): Promise<void> {
      const set = {
        ...(name === undefined ? {} : { name }),
        ...(locale === undefined ? {} : { locale }),
        ...(newDeviceMail === undefined ? {} : { new_device_mail: newDeviceMail ? 1 : 0 }),
        ...(planMail === undefined ? {} : { plan_mail: planMail ? 1 : 0 }),
      };
      if (Object.keys(set).length === 0) return;
      tx.changed(id, 'account');
      await tx.on<AccountTables>().updateTable('account').set(set).where('id', '=', id).execute();
    },

    /** Sets the time of the erasure; undefined cancels it. `reminded` is true if no reminder needs to be sent. */
    async setClosing(tx: Tx, id: string, closesAt: number | undefined, reminded: boolean): Promise<void> {
      tx.changed(id, 'account');
      await tx
        .on<AccountTables>()
        .updateTable('account')
        .set({ closes_at: closesAt ?? null, closing_reminded: reminded ? 1 : 0 })
        .where('id', '=', id)
        .execute();
    },

    /** Lists accounts that will be erased between two times and whose owners were not reminded. */
    async toRemind(sql: Sql, from: number, until: number): Promise<{ id: string }[]> {
      return sql
        .on<AccountTables>()
        .selectFrom('account')
        .select('id')
        .where('closes_at', '>', from)
        .where('closes_at', '<=', until)
        .where('closing_reminded', '=', 0)
        .execute();
    },

    /** Marks an account as reminded. Returns false if another process did so first. */
    async reminded(tx: Tx, id: string): Promise<boolean> {
      const result = await tx
        .on<AccountTables>()
        .updateTable('account')
        .set({ closing_reminded: 1 })
        .where('id', '=', id)
        .where('closing_reminded', '=', 0)
        .executeTakeFirst();
      return result.numUpdatedRows > 0n;
    },

    /** Lists accounts whose closing period has ended. */
    async closed(sql: Sql, now: number, limit: number): Promise<string[]> {
      const rows = await sql
        .on<AccountTables>()
        .selectFrom('account')
        .select('id')
        .where('closes_at', '<=', now)
        .orderBy('closes_at')
        .limit(limit)
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Removes the owner's identity; deleting dependent data may take a while. */
    async disown(tx: Tx, id: string): Promise<void> {
      tx.changed(id, 'account');
      await tx
        .on<AccountTables>()
        .updateTable('account')
        .set({
          email: null,
          email_key: null,
          phone: null,
          name: '',
          picture: '',
          password_hash: null,
          role: 'member',
        })
        .where('id', '=', id)
        .execute();
    },

    async remove(tx: Tx, id: string): Promise<void> {
      tx.changed(id, 'account');
      await tx.on<AccountTables>().deleteFrom('account').where('id', '=', id).execute();
    },

    async setStatus(tx: Tx, id: string, status: Status): Promise<void> {
      tx.changed(id, 'account');
      await tx.on<AccountTables>().updateTable('account').set({ status }).where('id', '=', id).execute();
    },
  };
}

export type AccountStore = ReturnType<typeof createAccountStore>;
