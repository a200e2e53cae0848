import { databaseTrouble, leaseTime, type Database, type Sql, type Tx } from '../database/index.ts';
import type { Clock } from '../clock.ts';
import type { Ids } from '../id.ts';

export interface JobTables {
  job: {
    id: string;
    kind: string;
    unique_key: string | null;
    payload: string;
    run_at: number;
    attempts: number;
    lease_owner: string | null;
    lease_until: number | null;
    /** Time of the next run, if the job was enqueued again while it ran. */
    again_at: number | null;
    last_error: string | null;
    created_at: number;
  };
}

export type JobRow = JobTables['job'];

export interface NewJob {
  readonly kind: string;
  readonly payload: unknown;
  readonly key?: string | undefined;
  readonly delayMs?: number | undefined;
}

/** Numbers of overdue and failing jobs. */
export interface Standing {
  readonly late: number;
  readonly failing: number;
}

const LEASE_MS = 30_000;
const RETRY_MS = [1_000, 5_000, 30_000, 120_000, 600_000];
const LONGEST_RETRY_MS = RETRY_MS.at(-1)!;
/** Delay while the database is full or unavailable, which is not the job's fault. */
const OUTAGE_RETRY_MS = 10_000;
/** Tolerated difference between the clocks of cooperating machines. */
const CLOCKS_APART_MS = 60_000;

/** The rows of jobs: their leases and outcomes. `owner` is the name under which this process leases. */
export function createJobQueue({
  database,
  clock,
  ids,
  owner,
}: {
  database: Database;
  clock: Clock;
  ids: Ids;
  owner: string;
}) {
  const on = (sql: Sql) => sql.on<JobTables>();
  const mine = (tx: Tx, id: string) =>
    on(tx).updateTable('job').where('id', '=', id).where('lease_owner', '=', owner);
  const startable = (sql: Sql) =>
    on(sql)
      .selectFrom('job')
      .where('run_at', '<=', clock.now())
      .where((where) =>
        where.or([where('lease_until', 'is', null), where('lease_until', '<', leaseTime(sql, clock))]),
      );
  const due = (sql: Sql, kind: string) =>
    startable(sql).selectAll().where('kind', '=', kind).orderBy('run_at').limit(1);

  return {
    /** If a job of the same kind and key is running, it will run again: it may have missed what caused this one. */
    async add(tx: Tx, { kind, payload, key, delayMs = 0 }: NewJob): Promise<void> {
      const now = clock.now();
      await on(tx)
        .insertInto('job')
        .values({
          id: ids.next(),
          kind,
          unique_key: key ?? null,
          payload: JSON.stringify(payload ?? null),
          run_at: now + delayMs,
          attempts: 0,
          lease_owner: null,
          lease_until: null,
          again_at: null,
          last_error: null,
          created_at: now,
        })
        .onConflict((conflict) =>
          conflict
            .columns(['kind', 'unique_key'])
            .where('unique_key', 'is not', null)
            .doUpdateSet({ again_at: now + delayMs })
            .where('job.lease_owner', 'is not', null),
        )
        .execute();
    },

    /** Leases the job of a kind that has waited longest; undefined if none is due. */
    async take(kind: string): Promise<JobRow | undefined> {
      if (!(await due(database, kind).executeTakeFirst())) return undefined;
      return database.transaction(async (tx) => {
        const next = due(tx, kind);
        const job = await (
          tx.dialect === 'postgres' ? next.forUpdate().skipLocked() : next
        ).executeTakeFirst();
        if (!job) return undefined;
        const attempts = job.attempts + 1;
        await on(tx)
          .updateTable('job')
          .set({ lease_owner: owner, lease_until: leaseTime(tx, clock, LEASE_MS), again_at: null, attempts })
          .where('id', '=', job.id)
          .execute();
        return { ...job, attempts };
      });
    },

    /** Returns false if another process holds the lease. */
    async renew(id: string): Promise<boolean> {
      const { numUpdatedRows } = await database.transaction((tx) =>
        mine(tx, id)
          .set({ lease_until: leaseTime(tx, clock, LEASE_MS) })
          .executeTakeFirst(),
      );
      return numUpdatedRows > 0n;
    },

    /** Deletes a job that has run, or schedules its next run if it was enqueued again in the meantime. */
    async finish(id: string): Promise<void> {
      await database.transaction(async (tx) => {
        const { numDeletedRows } = await on(tx)
          .deleteFrom('job')
          .where('id', '=', id)
          .where('lease_owner', '=', owner)
          .where('again_at', 'is', null)
          .executeTakeFirst();
        if (numDeletedRows > 0n) return;
        await mine(tx, id)
          .set(({ ref }) => ({
            run_at: ref('again_at').$notNull(),
            again_at: null,
            lease_owner: null,
            lease_until: null,
            attempts: 0,
            last_error: null,
          }))
          .execute();
      });
    },

    /** Returns an interrupted job without counting an attempt; it may be run again at once. */
    async release(job: JobRow): Promise<void> {
      await database.transaction((tx) =>
        mine(tx, job.id)
          .set({ lease_owner: null, lease_until: null, attempts: job.attempts - 1 })
          .execute(),
      );
    },

    /** Schedules a retry of a failed job; an outage of the database does not count as an attempt. */
    async postpone(job: JobRow, error: unknown): Promise<void> {
      const isOutage = databaseTrouble(error) !== undefined;
      const delay = isOutage ? OUTAGE_RETRY_MS : (RETRY_MS[job.attempts - 1] ?? LONGEST_RETRY_MS);
      await database.transaction((tx) =>
        mine(tx, job.id)
          .set({
            lease_owner: null,
            lease_until: null,
            run_at: clock.now() + delay,
            attempts: isOutage ? job.attempts - 1 : job.attempts,
            last_error: String(error),
          })
          .execute(),
      );
    },

    /**
     * Returns the number of jobs overdue by more than `lateMs`, and of those that failed and will be retried.
     */
    async standing(lateMs: number): Promise<Standing> {
      const rows = await on(database)
        .selectFrom('job')
        .select(({ fn, eb }) => [
          fn
            .sum<number>(
              eb
                .case()
                .when(
                  eb.and([
                    eb('run_at', '<', clock.now() - lateMs),
                    eb.or([
                      eb('lease_until', 'is', null),
                      eb('lease_until', '<', leaseTime(database, clock)),
                    ]),
                  ]),
                )
                .then(1)
                .else(0)
                .end(),
            )
            .as('late'),
          fn.sum<number>(eb.case().when('last_error', 'is not', null).then(1).else(0).end()).as('failing'),
        ])
        .executeTakeFirst();
      return { late: Number(rows?.late ?? 0), failing: Number(rows?.failing ?? 0) };
    },

    /** Returns those of the kinds of which a job is waiting or running. */
    async waiting(kinds: readonly string[]): Promise<ReadonlySet<string>> {
      if (kinds.length === 0) return new Set();
      const rows = await on(database)
        .selectFrom('job')
        .select('kind')
        .distinct()
        .where('kind', 'in', kinds)
        .execute();
      return new Set(rows.map(({ kind }) => kind));
    },

    /** Returns the kinds of which a job may start now. */
    async dueKinds(): Promise<ReadonlySet<string>> {
      const rows = await startable(database).select('kind').distinct().execute();
      return new Set(rows.map(({ kind }) => kind));
    },

    /** Releases the leases of killed processes of this machine. */
    async reclaim(isGone: (name: string) => boolean): Promise<void> {
      const leased = await on(database)
        .selectFrom('job')
        .select('lease_owner')
        .distinct()
        .where('lease_owner', 'is not', null)
        .execute();
      for (const { lease_owner: name } of leased) {
        if (!isGone(name!)) continue;
        await database.transaction((tx) =>
          on(tx)
            .updateTable('job')
            .set({ lease_owner: null, lease_until: null })
            .where('lease_owner', '=', name)
            .execute(),
        );
      }
    },

    /**
     * Corrects times written by a wrong clock: no wait and no lease exceeds its intended length. `recurring`
     * maps kinds to the time between two runs.
     */
    async straighten(recurring: ReadonlyMap<string, number>): Promise<void> {
      const now = clock.now();
      const jobs = await on(database)
        .selectFrom('job')
        .select(['id', 'kind', 'run_at', 'attempts', 'created_at'])
        .where('lease_owner', 'is', null)
        .where('run_at', '>', now)
        .where((where) =>
          where.or([
            where('created_at', '>', now + CLOCKS_APART_MS),
            where('run_at', '>', now + LONGEST_RETRY_MS).and(
              where.or([where('attempts', '>', 0), where('kind', 'in', [...recurring.keys(), ''])]),
            ),
          ]),
        )
        .execute();
      const meant = ({ kind, run_at: runAt, attempts, created_at: createdAt }: (typeof jobs)[number]) => {
        const everyMs = recurring.get(kind);
        if (everyMs !== undefined && runAt > now + Math.max(everyMs, LONGEST_RETRY_MS)) return now;
        if (createdAt > now + CLOCKS_APART_MS) return now + Math.max(0, runAt - createdAt);
        return attempts > 0 && runAt > now + LONGEST_RETRY_MS ? now : runAt;
      };
      const wrong = jobs.filter((job) => meant(job) !== job.run_at);
      const isTooLong = (sql: Sql) =>
        on(sql)
          .selectFrom('job')
          .select('id')
          .where('lease_until', '>', leaseTime(sql, clock, LEASE_MS));
      if (wrong.length === 0 && !(await isTooLong(database).limit(1).executeTakeFirst())) return;
      await database.transaction(async (tx) => {
        for (const job of wrong)
          await on(tx)
            .updateTable('job')
            .set({ run_at: meant(job), created_at: Math.min(job.created_at, now) })
            .where('id', '=', job.id)
            .where('lease_owner', 'is', null)
            .where('run_at', '=', job.run_at)
            .execute();
        await on(tx)
          .updateTable('job')
          .set({ lease_until: leaseTime(tx, clock, LEASE_MS) })
          .where('id', 'in', isTooLong(tx))
          .execute();
      });
    },
  };
}

export type JobQueue = ReturnType<typeof createJobQueue>;
