import type { EventType, RecentKind } from '@bowerbird/contract';
import {
  beyond,
  type Database,
  type KeysetPosition,
  type Sql,
  type Tx,
} from '../../foundation/database/index.ts';
import { removeRowsOfAccount } from '../../foundation/database/remove-rows.ts';
import type { DriveTables } from '../drive-tables.ts';
import { NOTED_KINDS, type EventRow, type NodeRow, type NotedKind } from '../drive.ts';
import { among } from '../among-store.ts';
import { removeForgotten } from '../forgotten-rows-store.ts';
import type { EventStore } from './event-store.ts';
import type { RecentRow } from './recent.ts';

const KIND_OF: Readonly<Record<EventType, RecentKind>> = {
  TYPE_UPLOAD: 'added',
  TYPE_RESTORE: 'saved',
  TYPE_DOWNLOAD: 'downloaded',
  TYPE_PLAY: 'played',
};

export const typesOf = (kinds: ReadonlySet<RecentKind>): EventType[] =>
  (Object.keys(KIND_OF) as EventType[]).filter((type) => kinds.has(KIND_OF[type]));
export const notedOf = (kinds: ReadonlySet<RecentKind>): NotedKind[] =>
  NOTED_KINDS.filter((kind) => kinds.has(kind));

function fromEvent({ id, type, node, params, updatedAt: at }: EventRow): RecentRow {
  const kind = KIND_OF[type];
  if (kind !== 'played') return { id, kind, node, at, play: undefined };
  const play = {
    seconds: Number(params['play_seconds'] ?? 0),
    duration: Number(params['play_duration'] ?? 0),
  };
  return { id, kind, node, at, play };
}

const isNewer = (one: RecentRow, other: RecentRow): boolean =>
  one.at > other.at || (one.at === other.at && one.id > other.id);

export function createRecentStore({ events }: { events: EventStore }) {
  const ofNoted = (sql: Sql) =>
    sql.on<DriveTables>().selectFrom('recent').select(['id', 'kind', 'node', 'at']);

  async function noted(sql: Sql, { account, kinds, place, limit }: Range & { kinds: NotedKind[] }) {
    if (kinds.length === 0) return [];
    let query = ofNoted(sql)
      .where('account', '=', account)
      .where('kind', 'in', kinds)
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit);
    if (place) query = query.where(beyond(['at', 'id'], place, true));
    return (await query.execute()).map((row) => ({ ...row, play: undefined }));
  }

  return {
    /** Reads the newest rows of the kinds, at most `limit`, also if a file has several of them. */
    async read(sql: Sql, range: Range & { kinds: ReadonlySet<RecentKind> }): Promise<RecentRow[]> {
      const [found, others] = await Promise.all([
        events.read(sql, range.account, { ...range, types: typesOf(range.kinds) }),
        noted(sql, { ...range, kinds: notedOf(range.kinds) }),
      ]);
      const all: RecentRow[] = [...found.map(fromEvent), ...others];
      return all.toSorted((one, other) => (isNewer(one, other) ? -1 : 1)).slice(0, range.limit);
    },

    /** Returns the names of nodes by their ids, and what they are; also of trashed ones. */
    async names(sql: Sql, ids: readonly string[]): Promise<Map<string, Pick<NodeRow, 'kind' | 'name'>>> {
      const rows = await sql
        .on<DriveTables>()
        .selectFrom('node')
        .select(['id', 'kind', 'name'])
        .where(among(sql, 'id', ids))
        .execute();
      return new Map(rows.map((row) => [row.id, row]));
    },

    /** Returns the id of the newest row of each node among the kinds. */
    async newest(
      sql: Sql,
      nodes: readonly string[],
      kinds: ReadonlySet<RecentKind>,
    ): Promise<Map<string, string>> {
      const [types, others] = [typesOf(kinds), notedOf(kinds)];
      const found = types.length === 0 ? [] : await events.ofNodes(sql, nodes, types);
      const rows: RecentRow[] = found.map(fromEvent);
      if (others.length > 0) {
        const ofNodes = ofNoted(sql)
          .where(among(sql, 'node', nodes))
          .where('kind', 'in', others);
        rows.push(...(await ofNodes.execute()).map((row) => ({ ...row, play: undefined })));
      }
      const newest = new Map<string, RecentRow>();
      for (const row of rows) {
        const known = newest.get(row.node);
        if (!known || isNewer(row, known)) newest.set(row.node, row);
      }
      return new Map([...newest].map(([node, { id }]) => [node, id]));
    },

    /** Returns the playback positions of an account's files. */
    async plays(sql: Sql, account: string, nodes: readonly string[]): Promise<RecentRow[]> {
      const found = await events.ofNodes(sql, nodes, ['TYPE_PLAY']);
      return found.filter((event) => event.account === account).map(fromEvent);
    },

    /** Writes one row for each node; an existing one gets the new time, unless it's newer than `unless`. */
    async note(
      tx: Tx,
      account: string,
      rows: readonly { id: string; kind: NotedKind; node: string; at: number }[],
      unless: number,
    ): Promise<void> {
      if (rows.length === 0) return;
      tx.changed(account, 'recent');
      await tx
        .on<DriveTables>()
        .insertInto('recent')
        .values(rows.map((row) => ({ ...row, account })))
        .onConflict((conflict) =>
          conflict
            .columns(['node', 'kind'])
            .doUpdateSet((eb) => ({ at: eb.ref('excluded.at') }))
            .where('recent.at', '<=', unless),
        )
        .execute();
    },

    /** Deletes all but an account's newest rows. */
    async trim(tx: Tx, account: string, kept: number): Promise<void> {
      const last = await tx
        .on<DriveTables>()
        .selectFrom('recent')
        .select(['at', 'id'])
        .where('account', '=', account)
        .orderBy('at', 'desc')
        .orderBy('id', 'desc')
        .limit(1)
        .offset(kept - 1)
        .executeTakeFirst();
      if (!last) return;
      await tx
        .on<DriveTables>()
        .deleteFrom('recent')
        .where('account', '=', account)
        .where(beyond(['at', 'id'], [last.at, last.id], true))
        .execute();
    },

    /** Deletes all events of the kinds. */
    async clear(tx: Tx, account: string, kinds: ReadonlySet<RecentKind>): Promise<void> {
      const [types, others] = [typesOf(kinds), notedOf(kinds)];
      tx.changed(account, 'recent');
      if (types.length > 0) await events.clear(tx, account, types);
      if (others.length === 0) return;
      await tx
        .on<DriveTables>()
        .deleteFrom('recent')
        .where('account', '=', account)
        .where('kind', 'in', others)
        .execute();
    },

    /** Returns the accounts with more rows than `kept`, at most `limit`. */
    async crowded(sql: Sql, kept: number, limit: number): Promise<string[]> {
      const rows = await sql
        .on<DriveTables>()
        .selectFrom('recent')
        .select('account')
        .groupBy('account')
        .having((eb) => eb(eb.fn.countAll<number>(), '>', kept))
        .limit(limit)
        .execute();
      return rows.map(({ account }) => account);
    },

    /**
     * Deletes some rows that are older, or whose file was deleted permanently; returns true if more may be left.
     */
    forget: (tx: Tx, before: number): Promise<boolean> =>
      removeForgotten(tx, 'recent', { column: 'at', before }),

    /** Deletes the account's rows, in slices. Returns the number of rows removed. */
    eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
      removeRowsOfAccount<DriveTables>(database, ['recent', 'recent_removal'], account, signal),
  };
}

interface Range {
  readonly account: string;
  readonly place: KeysetPosition | undefined;
  readonly limit: number;
}

export type RecentStore = ReturnType<typeof createRecentStore>;
