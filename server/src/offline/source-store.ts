import type { FetchFailure, FetchSpec } from '@bowerbird/contract';
import type { Selectable } from 'kysely';
import { jsonOrNull, type Sql, type Tx } from '../foundation/database/index.ts';
import type { Keys } from '../foundation/index.ts';
import type { OfflineTables } from './offline-tables.ts';
import type { SourceRow } from './offline.ts';
import { failureFrom } from './source-failure.ts';

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

type Light = Pick<Selectable<Columns>, (typeof LIGHT)[number]>;

export function sourceFrom(row: Light): SourceRow {
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

/** Selects sources without their large or secret columns. */
export const selectSources = (sql: Sql) => sql.on<OfflineTables>().selectFrom('source').select(LIGHT);

/** Sources, with the state of their download. */
export function createSourceStore({ keys }: { keys: Keys }) {
  const seal = (spec: FetchSpec): string => keys.encrypt(SPEC, JSON.stringify(spec));
  const on = (sql: Sql) => sql.on<OfflineTables>();

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
      const row = await selectSources(sql).where('id', '=', id).executeTakeFirst();
      return row && sourceFrom(row);
    },

    async byKey(sql: Sql, key: string): Promise<SourceRow | undefined> {
      const row = await selectSources(sql).where('key', '=', key).executeTakeFirst();
      return row && sourceFrom(row);
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
