import type { FetchFailure, FetchSpec } from '@bowerbird/contract';
import { sql as raw, type Selectable } from 'kysely';
import { leaseTime, type Sql, type Tx } from '../foundation/database/index.ts';
import type { Clock, Keys } from '../foundation/index.ts';
import type { OfflineTables } from './offline-tables.ts';
import type { SourceFileRow, SourceRow } from './offline.ts';

type Columns = OfflineTables['source'];

/** All columns except large or secret ones. */
const LIGHT = [
  'id',
  'key',
  'kind',
  'state',
  'generation',
  'name',
  'size',
  'file_count',
  'validator',
  'modified_at',
  'failure',
  'looked_at',
  'leads_to',
  'attempts',
  'lease_owner',
] as const;
const SPEC = 'offline-spec';
const ROWS_AT_ONCE = 500;
const LEASE_MS = 30_000;

type Light = Pick<Selectable<Columns>, (typeof LIGHT)[number]>;

const failureFrom = (text: string | null): FetchFailure | undefined =>
  text === null ? undefined : (JSON.parse(text) as FetchFailure);

function fromRow(row: Light): SourceRow {
  return {
    id: row.id,
    key: row.key,
    kind: row.kind,
    state: row.state,
    generation: row.generation,
    facts:
      row.name === null
        ? undefined
        : { name: row.name, size: row.size ?? undefined, count: row.file_count ?? 0 },
    validator: row.validator ?? undefined,
    modifiedAt: row.modified_at ?? undefined,
    failure: failureFrom(row.failure),
    lookedAt: row.looked_at ?? undefined,
    leadsTo: row.leads_to ?? undefined,
    attempts: row.attempts,
    leaseOwner: row.lease_owner ?? undefined,
  };
}

function fromFileRow(row: Selectable<OfflineTables['source_file']>): SourceFileRow {
  return {
    position: row.position,
    path: JSON.parse(row.path) as string[],
    size: row.size ?? undefined,
    received: row.received,
    state: row.state,
    failure: failureFrom(row.failure),
    hash: row.hash ?? undefined,
  };
}

export type SourceChange = Partial<
  Pick<
    Columns,
    | 'state'
    | 'generation'
    | 'name'
    | 'size'
    | 'file_count'
    | 'validator'
    | 'modified_at'
    | 'looked_at'
    | 'attempts'
    | 'priority'
    | 'queued_at'
    | 'not_before'
    | 'lease_owner'
    | 'lease_until'
  >
> & { readonly failure?: FetchFailure | null; readonly resume?: unknown };

export interface FileChange {
  readonly state?: SourceFileRow['state'];
  readonly failure?: FetchFailure | null;
  readonly hash?: string | null;
  readonly received?: number;
  readonly size?: number | null;
}

const jsonOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);

export function createSourceStore({ keys, clock }: { keys: Keys; clock: Clock }) {
  const seal = (spec: FetchSpec): string => keys.encrypt(SPEC, JSON.stringify(spec));
  const on = (sql: Sql) => sql.on<OfflineTables>();
  const light = (sql: Sql) => on(sql).selectFrom('source').select(LIGHT);

  return {
    /** Inserts the row of a key unless it exists. */
    async insert(
      tx: Tx,
      { id, key, spec, now }: { id: string; key: string; spec: FetchSpec; now: number },
    ): Promise<void> {
      await on(tx)
        .insertInto('source')
        .values({
          id,
          key,
          kind: spec.kind,
          spec: seal(spec),
          state: 'idle',
          generation: 1,
          name: null,
          size: null,
          file_count: null,
          validator: null,
          modified_at: null,
          resume: null,
          failure: null,
          looked_at: null,
          leads_to: null,
          attempts: 0,
          priority: 1,
          queued_at: null,
          not_before: 0,
          lease_owner: null,
          lease_until: null,
          created_at: now,
          updated_at: now,
        })
        .onConflict((conflict) => conflict.column('key').doNothing())
        .execute();
    },

    async find(sql: Sql, id: string): Promise<SourceRow | undefined> {
      const row = await light(sql).where('id', '=', id).executeTakeFirst();
      return row && fromRow(row);
    },

    async byKey(sql: Sql, key: string): Promise<SourceRow | undefined> {
      const row = await light(sql).where('key', '=', key).executeTakeFirst();
      return row && fromRow(row);
    },

    async spec(sql: Sql, id: string): Promise<FetchSpec | undefined> {
      const row = await on(sql).selectFrom('source').select('spec').where('id', '=', id).executeTakeFirst();
      const text = row && keys.decrypt(SPEC, row.spec);
      return text === undefined ? undefined : (JSON.parse(text) as FetchSpec);
    },

    async resume(sql: Sql, id: string): Promise<unknown> {
      const row = await on(sql).selectFrom('source').select('resume').where('id', '=', id).executeTakeFirst();
      return row?.resume ? (JSON.parse(row.resume) as unknown) : null;
    },

    async setSpec(tx: Tx, id: string, spec: FetchSpec): Promise<void> {
      await on(tx)
        .updateTable('source')
        .set({ spec: seal(spec) })
        .where('id', '=', id)
        .execute();
    },

    async update(tx: Tx, id: string, change: SourceChange, now: number): Promise<void> {
      const { failure, resume, ...columns } = change;
      await on(tx)
        .updateTable('source')
        .set({
          ...columns,
          ...(failure === undefined ? {} : { failure: jsonOrNull(failure) }),
          ...(resume === undefined ? {} : { resume: jsonOrNull(resume) }),
          updated_at: now,
        })
        .where('id', '=', id)
        .execute();
    },

    async leadTo(tx: Tx, id: string, torrent: string, now: number): Promise<void> {
      await on(tx)
        .updateTable('source')
        .set({ leads_to: torrent, looked_at: now, failure: null, updated_at: now })
        .where('id', '=', id)
        .execute();
    },

    /**
     * Leases the next source that may be fetched: requested by an account that is not among `saturated`, and without a
     * valid lease. Returns undefined if there is none.
     */
    async lease(
      tx: Tx,
      { owner, now, saturated }: { owner: string; now: number; saturated: readonly string[] },
    ): Promise<SourceRow | undefined> {
      let query = light(tx)
        .where('state', 'in', ['queued', 'fetching'])
        .where('not_before', '<=', now)
        .where((where) =>
          where.or([where('lease_until', 'is', null), where('lease_until', '<', leaseTime(tx, clock))]),
        )
        .where(({ exists, selectFrom }) => {
          const requests = selectFrom('offline')
            .select('offline.task')
            .whereRef('offline.source', '=', 'source.id')
            .where('offline.active', '=', 1)
            .where('offline.start_at', '<=', now);
          return exists(
            saturated.length > 0 ? requests.where('offline.account', 'not in', saturated) : requests,
          );
        })
        .orderBy('priority')
        .orderBy('queued_at')
        .limit(1);
      if (tx.dialect === 'postgres') query = query.forUpdate().skipLocked();
      const row = await query.executeTakeFirst();
      if (!row) return undefined;
      await on(tx)
        .updateTable('source')
        .set({
          state: 'fetching',
          lease_owner: owner,
          lease_until: leaseTime(tx, clock, LEASE_MS),
          attempts: row.attempts + 1,
          updated_at: now,
        })
        .where('id', '=', row.id)
        .execute();
      return { ...fromRow(row), state: 'fetching', attempts: row.attempts + 1, leaseOwner: owner };
    },

    /** Returns whether a source may be leased. A read-only check, to avoid needless write transactions. */
    async isDue(sql: Sql, now: number): Promise<boolean> {
      const row = await on(sql)
        .selectFrom('source')
        .select('id')
        .where('state', 'in', ['queued', 'fetching'])
        .where('not_before', '<=', now)
        .where((where) =>
          where.or([where('lease_until', 'is', null), where('lease_until', '<', leaseTime(sql, clock))]),
        )
        .limit(1)
        .executeTakeFirst();
      return row !== undefined;
    },

    /** Renews leases. Returns the ids of those that the owner still holds. */
    async renew(tx: Tx, owner: string, ids: readonly string[]): Promise<string[]> {
      if (ids.length === 0) return [];
      const rows = await on(tx)
        .updateTable('source')
        .set({ lease_until: leaseTime(tx, clock, LEASE_MS) })
        .where('id', 'in', ids)
        .where('lease_owner', '=', owner)
        .returning('id')
        .execute();
      return rows.map(({ id }) => id);
    },

    /** Corrects times that were written by a clock that was ahead: limits leases and retry delays to their maximum. */
    async fixFutureTimes(tx: Tx, longestWaitMs: number): Promise<void> {
      await on(tx)
        .updateTable('source')
        .set({ lease_until: leaseTime(tx, clock, LEASE_MS) })
        .where('state', '=', 'fetching')
        .where('lease_until', '>', leaseTime(tx, clock, LEASE_MS))
        .execute();
      await on(tx)
        .updateTable('source')
        .set({ not_before: 0 })
        .where('state', '=', 'queued')
        .where('not_before', '>', clock.now() + longestWaitMs)
        .execute();
    },

    /** Returns the names of all lease owners. */
    async owners(sql: Sql): Promise<string[]> {
      const rows = await on(sql)
        .selectFrom('source')
        .select('lease_owner')
        .distinct()
        .where('lease_owner', 'is not', null)
        .execute();
      return rows.map(({ lease_owner: name }) => name!);
    },

    async reclaim(tx: Tx, owner: string): Promise<void> {
      await on(tx)
        .updateTable('source')
        .set({ state: 'queued', lease_owner: null, lease_until: null, attempts: 0 })
        .where('lease_owner', '=', owner)
        .execute();
    },

    /** Returns the number of sources being fetched for each account. */
    async running(sql: Sql): Promise<Map<string, number>> {
      const rows = await on(sql)
        .selectFrom('offline')
        .innerJoin('source', 'source.id', 'offline.source')
        .select(['offline.account', raw<number>`count(distinct source.id)`.as('count')])
        .where('source.state', '=', 'fetching')
        .where('source.lease_until', '>=', leaseTime(sql, clock))
        .where('offline.active', '=', 1)
        .groupBy('offline.account')
        .execute();
      return new Map(rows.map(({ account, count }) => [account, Number(count)]));
    },

    async addFiles(
      tx: Tx,
      source: string,
      files: readonly { index: number; path: readonly string[]; size: number | null }[],
    ): Promise<void> {
      for (let at = 0; at < files.length; at += ROWS_AT_ONCE) {
        await on(tx)
          .insertInto('source_file')
          .values(
            files.slice(at, at + ROWS_AT_ONCE).map(({ index, path, size }) => ({
              source,
              position: index,
              path: JSON.stringify(path),
              size,
              received: 0,
              state: 'waiting',
              failure: null,
              hash: null,
            })),
          )
          .onConflict((conflict) => conflict.columns(['source', 'position']).doNothing())
          .execute();
      }
    },

    async removeFiles(tx: Tx, source: string): Promise<void> {
      await on(tx).deleteFrom('source_file').where('source', '=', source).execute();
    },

    async files(sql: Sql, source: string): Promise<SourceFileRow[]> {
      const rows = await on(sql)
        .selectFrom('source_file')
        .selectAll()
        .where('source', '=', source)
        .orderBy('position')
        .execute();
      return rows.map(fromFileRow);
    },

    /** Returns files after a position, in the source's order. */
    async filesAfter(sql: Sql, source: string, after: number, limit: number): Promise<SourceFileRow[]> {
      const rows = await on(sql)
        .selectFrom('source_file')
        .selectAll()
        .where('source', '=', source)
        .where('position', '>', after)
        .orderBy('position')
        .limit(limit)
        .execute();
      return rows.map(fromFileRow);
    },

    async filesAt(sql: Sql, source: string, positions: readonly number[]): Promise<SourceFileRow[]> {
      if (positions.length === 0) return [];
      const rows = await on(sql)
        .selectFrom('source_file')
        .selectAll()
        .where('source', '=', source)
        .where('position', 'in', positions)
        .orderBy('position')
        .execute();
      return rows.map(fromFileRow);
    },

    async updateFile(tx: Tx, source: string, position: number, change: FileChange): Promise<void> {
      const { failure, ...columns } = change;
      await on(tx)
        .updateTable('source_file')
        .set({ ...columns, ...(failure === undefined ? {} : { failure: jsonOrNull(failure) }) })
        .where('source', '=', source)
        .where('position', '=', position)
        .execute();
    },

    /** Changes the state of all files in a state, or only of those at the given positions. */
    async turnFiles(
      tx: Tx,
      source: string,
      from: SourceFileRow['state'],
      to: { state: SourceFileRow['state']; failure?: FetchFailure | undefined },
      positions?: readonly number[],
    ): Promise<void> {
      const turn = async (some?: readonly number[]): Promise<void> => {
        let query = on(tx)
          .updateTable('source_file')
          .set({ state: to.state, failure: jsonOrNull(to.failure) })
          .where('source', '=', source)
          .where('state', '=', from);
        if (some) query = query.where('position', 'in', some);
        await query.execute();
      };
      if (!positions) return turn();
      for (let at = 0; at < positions.length; at += ROWS_AT_ONCE)
        await turn(positions.slice(at, at + ROWS_AT_ONCE));
    },

    /** Returns sources without requests that have not changed since a time. */
    async unused(sql: Sql, before: number, limit: number): Promise<{ id: string; generation: number }[]> {
      return on(sql)
        .selectFrom('source')
        .select(['id', 'generation'])
        .where('state', '=', 'idle')
        .where('updated_at', '<', before)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('offline').select('task').whereRef('offline.source', '=', 'source.id'))),
        )
        .limit(limit)
        .execute();
    },

    async remove(tx: Tx, id: string): Promise<void> {
      await on(tx)
        .deleteFrom('source')
        .where('id', '=', id)
        .where('state', '=', 'idle')
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('offline').select('task').whereRef('offline.source', '=', 'source.id'))),
        )
        .execute();
    },
  };
}

export type SourceStore = ReturnType<typeof createSourceStore>;
