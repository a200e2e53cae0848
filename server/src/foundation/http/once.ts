import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiFailure } from '@bowerbird/contract';
import type { Clock } from '../clock.ts';
import { awaitDatabase, type Database } from '../database/index.ts';
import type { Ids } from '../id.ts';
import { createLeaseOwner } from '../lease-owner.ts';
import type { Log } from '../log.ts';

interface ReplayTables {
  replay: {
    key: string;
    /** Digest of what was asked; null in rows from before it was kept. */
    request: string | null;
    /** Who carries it out, or did. */
    owner: string | null;
    /** Null while it is carried out. */
    reply: string | null;
    created_at: number;
  };
}

/** A claim that is older belongs to a process that was killed, wherever that ran. */
const CLAIMS_HOLD_MS = 60_000;
/** So long an answer waits for its reply to be written. */
const PATIENCE_MS = 5_000;

/**
 * Does what is asked under a key, once: whoever asks again gets the reply of the first time. The reply is written right after
 * the change; only a process that is killed in that very moment leaves a change whose key is free again.
 */
export type Once = (key: string, request: string, work: () => Promise<unknown>) => Promise<unknown>;

export function createOnce({
  database,
  clock,
  ids,
  log,
}: {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Log;
}): Once {
  const { name: process, isGone } = createLeaseOwner(ids);
  /** Claims that this process is carrying out. */
  const underWay = new Set<string>();

  const find = async (key: string): Promise<ReplayTables['replay'] | undefined> =>
    database.on<ReplayTables>().selectFrom('replay').selectAll().where('key', '=', key).executeTakeFirst();

  /** Its last word tells one claim of a process from the next. */
  const processOf = (owner: string): string => owner.slice(0, owner.lastIndexOf(' '));

  const isAbandoned = ({ owner, created_at: since }: ReplayTables['replay']): boolean =>
    since < clock.now() - CLAIMS_HOLD_MS ||
    (owner !== null && (isGone(processOf(owner)) || (processOf(owner) === process && !underWay.has(owner))));

  /** Takes the key, where nobody has it, or who had it is gone. */
  async function claim(key: string, request: string, owner: string): Promise<boolean> {
    const known = await find(key);
    if (known && (known.reply !== null || !isAbandoned(known))) return false;
    const claimed = { request, owner, created_at: clock.now() };
    const { numInsertedOrUpdatedRows: count = 0n } = await database.transaction((tx) =>
      tx
        .on<ReplayTables>()
        .insertInto('replay')
        .values({ key, reply: null, ...claimed })
        .onConflict((conflict) =>
          conflict
            .column('key')
            .doUpdateSet(claimed)
            .where('replay.reply', 'is', null)
            .where('replay.owner', known?.owner === null ? 'is' : '=', known?.owner ?? null),
        )
        .executeTakeFirst(),
    );
    return count > 0n;
  }

  const release = (key: string, owner: string): Promise<unknown> =>
    database.transaction((tx) =>
      tx.on<ReplayTables>().deleteFrom('replay').where('key', '=', key).where('owner', '=', owner).execute(),
    );

  const keep = (key: string, owner: string, reply: unknown): Promise<unknown> =>
    database.transaction((tx) =>
      tx
        .on<ReplayTables>()
        .updateTable('replay')
        .set({ reply: JSON.stringify(reply) ?? 'null' })
        .where('key', '=', key)
        .where('owner', '=', owner)
        .execute(),
    );

  return async (key, request, work) => {
    const known = await find(key);
    if (known && known.request !== null && known.request !== request)
      throw new ApiFailure('invalid_argument', {
        field: 'Idempotency-Key',
        reason: 'The key was used for another request.',
      });
    if (known && known.reply !== null) return JSON.parse(known.reply) as unknown;
    const owner = `${process} ${ids.next()}`;
    underWay.add(owner);
    try {
      if (!(await claim(key, request, owner))) throw new ApiFailure('unavailable');
    } catch (error) {
      underWay.delete(owner);
      throw error;
    }
    let reply: unknown;
    try {
      reply = await work();
    } catch (error) {
      // It may be asked for again with its key; where even that can't be written, it may as soon as nobody is at it.
      await release(key, owner).catch(() => {});
      underWay.delete(owner);
      throw error;
    }
    // What took effect must not be done again: until its reply is written the key stays taken, however long that takes.
    const written = awaitDatabase(() => keep(key, owner, reply), { log })
      .catch((error: unknown) => log.error({ err: error }, 'a reply could not be kept'))
      .finally(() => underWay.delete(owner));
    await Promise.race([written, sleep(PATIENCE_MS, undefined, { ref: false })]);
    return reply;
  };
}

export const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** The same value with the fields of its objects in one order. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, entry]) => [name, sorted(entry)]),
  );
}

const REPLAYS_KEPT_MS = 24 * 3600 * 1000;

/** Forgets replies that nobody retries any more, and claims that a killed process left behind. */
export async function forgetReplays(database: Database, clock: Clock): Promise<void> {
  await database.transaction((tx) =>
    tx
      .on<ReplayTables>()
      .deleteFrom('replay')
      .where('created_at', '<', clock.now() - REPLAYS_KEPT_MS)
      .execute(),
  );
}
