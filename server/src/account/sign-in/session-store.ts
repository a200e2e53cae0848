import type { Selectable } from 'kysely';
import {
  createStatements,
  noteChanged,
  type Database,
  type Sql,
  type Tx,
} from '../../foundation/database/index.ts';
import { removeRows, removeRowsOfAccount } from '../../foundation/database/remove-rows.ts';
import type { SignInTables } from './sign-in-tables.ts';
import type { Role, Standing } from '../account.ts';
import type { SessionOrigin, SessionRow } from './session.ts';

/** Session with the current standing of its account. */
export interface LiveSession extends SessionRow, Standing {
  readonly role: Role;
}

/** One link of a chain of refresh tokens. */
export interface RefreshLink {
  readonly hash: string;
  readonly session: string;
  readonly expiresAt: number;
  readonly usedAt: number | undefined;
}

type JoinedRow = Selectable<SignInTables['session']> &
  Pick<Selectable<SignInTables['account']>, 'role' | 'status' | 'closes_at'>;

function fromRow(row: JoinedRow): LiveSession {
  return {
    id: row.id,
    account: row.account,
    kind: row.kind,
    clientId: row.client_id,
    createdAt: row.created_at,
    seenAt: row.seen_at,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at ?? undefined,
    scopes: row.scopes?.split(' '),
    pass: row.pass ?? undefined,
    app: row.app ?? undefined,
    role: row.role,
    status: row.status,
    closesAt: row.closes_at ?? undefined,
  };
}

export function createSessionStore() {
  const statements = createStatements();
  const joined = (sql: Sql) =>
    sql
      .on<SignInTables>()
      .selectFrom('session')
      .innerJoin('account', 'account.id', 'session.account')
      .selectAll('session')
      .select(['account.role', 'account.status', 'account.closes_at']);

  return {
    async insert(tx: Tx, session: SessionRow & SessionOrigin, secretHash: string | undefined): Promise<void> {
      tx.changed(session.account, 'account');
      await tx
        .on<SignInTables>()
        .insertInto('session')
        .values({
          id: session.id,
          account: session.account,
          kind: session.kind,
          secret_hash: secretHash ?? null,
          client_id: session.clientId,
          device_id: session.deviceId,
          user_agent: session.userAgent,
          address: session.address,
          created_at: session.createdAt,
          seen_at: session.seenAt,
          expires_at: session.expiresAt,
          revoked_at: session.revokedAt ?? null,
          scopes: session.scopes?.join(' ') ?? null,
          pass: session.pass ?? null,
          app: session.app ?? null,
        })
        .execute();
    },

    async find(sql: Sql, id: string): Promise<LiveSession | undefined> {
      const [row] = await statements.rows(sql, 'by id', { id }, (value) =>
        joined(sql).where('session.id', '=', value.id),
      );
      return row && fromRow(row);
    },

    async bySecret(sql: Sql, secretHash: string): Promise<LiveSession | undefined> {
      const [row] = await statements.rows(sql, 'by secret', { secretHash }, (value) =>
        joined(sql).where('session.secret_hash', '=', value.secretHash),
      );
      return row && fromRow(row);
    },

    /** Lists live sessions, most recently seen first. */
    async list(sql: Sql, account: string, now: number): Promise<(SessionRow & SessionOrigin)[]> {
      const rows = await joined(sql)
        .where('session.account', '=', account)
        .where('session.revoked_at', 'is', null)
        .where('session.expires_at', '>', now)
        .orderBy('session.seen_at', 'desc')
        .orderBy('session.id', 'desc')
        .execute();
      return rows.map((row) => ({
        ...fromRow(row),
        deviceId: row.device_id,
        userAgent: row.user_agent,
        address: row.address,
      }));
    },

    /** Returns the devices and addresses of all sessions that are kept, each once. */
    async origins(sql: Sql, account: string): Promise<Pick<SessionOrigin, 'deviceId' | 'address'>[]> {
      const rows = await sql
        .on<SignInTables>()
        .selectFrom('session')
        .select(['device_id', 'address'])
        .distinct()
        .where('account', '=', account)
        .execute();
      return rows.map((row) => ({ deviceId: row.device_id, address: row.address }));
    },

    async lastSeen(sql: Sql, accounts: readonly string[]): Promise<ReadonlyMap<string, number>> {
      if (accounts.length === 0) return new Map();
      const rows = await sql
        .on<SignInTables>()
        .selectFrom('session')
        .select(({ fn }) => ['account', fn.max('seen_at').as('seen_at')])
        .where('account', 'in', [...accounts])
        .groupBy('account')
        .execute();
      return new Map(rows.map((row) => [row.account, Number(row.seen_at)]));
    },

    /**
     * Deletes the account's sessions, including ended ones, and their refresh tokens, in slices. Returns the
     * number of rows removed.
     */
    async eraseAccount(database: Database, account: string, signal: AbortSignal): Promise<number> {
      const sessions = await database
        .on<SignInTables>()
        .selectFrom('session')
        .select('id')
        .where('account', '=', account)
        .execute();
      let removed = 0;
      for (const { id } of sessions)
        removed += await removeRows<SignInTables, 'refresh_token'>(
          database,
          'refresh_token',
          { session: id },
          signal,
        );
      return removed + (await removeRowsOfAccount<SignInTables>(database, ['session'], account, signal));
    },

    async slide(tx: Tx, id: string, seenAt: number, expiresAt: number): Promise<void> {
      await tx
        .on<SignInTables>()
        .updateTable('session')
        .set({ seen_at: seenAt, expires_at: expiresAt })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .execute();
    },

    async revoke(tx: Tx, id: string, now: number): Promise<void> {
      const rows = await tx
        .on<SignInTables>()
        .updateTable('session')
        .set({ revoked_at: now })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .returning('account')
        .execute();
      noteChanged(tx, 'account', rows);
    },

    /** Ends the sessions of an account, except `but` if given. */
    async revokeAll(tx: Tx, account: string, now: number, but = ''): Promise<void> {
      tx.changed(account, 'account');
      await tx
        .on<SignInTables>()
        .updateTable('session')
        .set({ revoked_at: now })
        .where('account', '=', account)
        .where('id', '<>', but)
        .where('revoked_at', 'is', null)
        .execute();
    },

    async revokeOfPass(tx: Tx, pass: string, account: string, now: number): Promise<void> {
      tx.changed(account, 'account');
      await tx
        .on<SignInTables>()
        .updateTable('session')
        .set({ revoked_at: now })
        .where('pass', '=', pass)
        .where('account', '=', account)
        .where('revoked_at', 'is', null)
        .execute();
    },

    async revokeOfApp(tx: Tx, app: string, account: string, now: number): Promise<void> {
      tx.changed(account, 'account');
      await tx
        .on<SignInTables>()
        .updateTable('session')
        .set({ revoked_at: now })
        .where('app', '=', app)
        .where('account', '=', account)
        .where('revoked_at', 'is', null)
        .execute();
    },

    async insertLink(tx: Tx, link: RefreshLink, now: number): Promise<void> {
      await tx
        .on<SignInTables>()
        .insertInto('refresh_token')
        .values({
          hash: link.hash,
          session: link.session,
          created_at: now,
          expires_at: link.expiresAt,
          used_at: null,
        })
        .execute();
    },

    async findLink(sql: Sql, hash: string): Promise<RefreshLink | undefined> {
      const row = await sql
        .on<SignInTables>()
        .selectFrom('refresh_token')
        .selectAll()
        .where('hash', '=', hash)
        .executeTakeFirst();
      return (
        row && {
          hash: row.hash,
          session: row.session,
          expiresAt: row.expires_at,
          usedAt: row.used_at ?? undefined,
        }
      );
    },

    async useLink(tx: Tx, hash: string, now: number): Promise<void> {
      await tx
        .on<SignInTables>()
        .updateTable('refresh_token')
        .set({ used_at: now })
        .where('hash', '=', hash)
        .execute();
    },

    /** Deletes rows that are no longer needed: sessions ended since `before`, and expired links. */
    async removeOver(tx: Tx, before: number): Promise<void> {
      const over = tx
        .on<SignInTables>()
        .selectFrom('session')
        .select('id')
        .where((where) => where.or([where('expires_at', '<', before), where('revoked_at', '<', before)]));
      await tx
        .on<SignInTables>()
        .deleteFrom('refresh_token')
        .where((where) => where.or([where('expires_at', '<', before), where('session', 'in', over)]))
        .execute();
      await tx.on<SignInTables>().deleteFrom('session').where('id', 'in', over).execute();
    },
  };
}

export type SessionStore = ReturnType<typeof createSessionStore>;
