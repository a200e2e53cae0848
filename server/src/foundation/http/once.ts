import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { ApiFailure } from '@bowerbird/contract';
import type { Clock } from '../clock.ts';
import { awaitDatabase, type Database, type Tx } from '../database/index.ts';
import type { Ids } from '../id.ts';
import { createLeaseOwner } from '../lease-owner.ts';
import type { Log } from '../log.ts';
import { failureOf } from './failure.ts';
import { claimKey, findReplay, freeKey, keepReply, noteChange, type Replay } from './replays.ts';

/**
 * Relation of the work of a call to its idempotency key.
 *
 * - `joined`: all of its transactions are one, which stores the reply as well. For short work whose only effects are
 *   SQL and actions after the commit; its counters are rolled back if it fails.
 * - `separate`: it has its own transactions. Changes of a process that was killed before its reply are never repeated;
 *   a retry gets the error that the outcome is unknown.
 * - `recognized`: the work itself finds its earlier effects by the key, and takes effect once.
 */
export type UnderKey = 'joined' | 'separate' | 'recognized';

/** Runs the work of a key at most once; later calls with the key get the reply of the first. */
export type Once = (
  request: { readonly key: string; readonly digest: string; readonly underKey: UnderKey },
  /** Runs before the transaction of `joined` work, even if another call turns out to be faster. */
  prepare: () => Promise<unknown>,
  work: (prepared: unknown) => Promise<unknown>,
) => Promise<unknown>;

/** Age after which a claim is considered that of a killed process, on any machine. */
const CLAIMS_HOLD_MS = 60_000;
/** Time that a response waits for its reply to be stored. */
const PATIENCE_MS = 5_000;

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
  /** Claims that this process is running. */
  const underWay = new Set<string>();

  /** Removes the last word, which distinguishes the claims of one process. */
  const processOf = (owner: string): string => owner.slice(0, owner.lastIndexOf(' '));

  const isAbandoned = ({ owner, created_at: since }: Replay): boolean =>
    since < clock.now() - CLAIMS_HOLD_MS ||
    (owner !== null && (isGone(processOf(owner)) || (processOf(owner) === process && !underWay.has(owner))));

  /** Returns the stored reply, or undefined if the work may be run; throws otherwise. */
  function answerOf(known: Replay | undefined, digest: string): { readonly reply: unknown } | undefined {
    if (!known) return undefined;
    if (known.request !== null && known.request !== digest)
      throw new ApiFailure('invalid_argument', {
        field: 'Idempotency-Key',
        reason: 'The key was used for another request.',
      });
    if (known.reply !== null) return { reply: JSON.parse(known.reply) as unknown };
    if (!isAbandoned(known)) throw new ApiFailure('unavailable');
    if (known.changed !== 0) throw new ApiFailure('outcome_unknown');
    return undefined;
  }

  /** Returns the reply of the call that holds the key now. */
  async function answerOfOther(
    sql: Database | Tx,
    key: string,
    digest: string,
  ): Promise<{ readonly reply: unknown }> {
    const answer = answerOf(await findReplay(sql, key), digest);
    if (!answer) throw new ApiFailure('unavailable');
    return answer;
  }

  return async ({ key, digest, underKey }, prepare, work) => {
    const known = await findReplay(database, key);
    const answer = answerOf(known, digest);
    if (answer) return answer.reply;
    const owner = `${process} ${ids.next()}`;
    const claim = (tx: Tx): Promise<boolean> =>
      claimKey(tx, key, { request: digest, owner, created_at: clock.now() }, known);

    if (underKey === 'joined') {
      const prepared = await prepare();
      return database.transaction(async (tx) => {
        if (!(await claim(tx))) return (await answerOfOther(tx, key, digest)).reply;
        const reply = await tx.join(() => work(prepared));
        await keepReply(tx, key, owner, reply);
        return reply;
      });
    }

    let isChanged = false;
    /** Marks the change. Throws if this call was presumed dead and another process holds its key now. */
    async function note(tx: Tx): Promise<void> {
      if (isChanged) return;
      if (!(await noteChange(tx, key, owner))) throw new ApiFailure('unavailable');
      tx.afterCommit(() => (isChanged = true));
    }

    underWay.add(owner);
    try {
      if (!(await database.transaction(claim))) {
        underWay.delete(owner);
        return (await answerOfOther(database, key, digest)).reply;
      }
    } catch (error) {
      underWay.delete(owner);
      throw error;
    }
    let reply: unknown;
    try {
      const run = async () => work(await prepare());
      reply = await (underKey === 'recognized' ? run() : database.accompany(note, run));
    } catch (error) {
      // A rejected call may be retried with its key; a call that failed midway only if nothing was changed.
      // Even a failed transaction may have been committed, if the connection was lost before the response.
      const onlyUnchanged = failureOf(error).status >= 500;
      await database.transaction((tx) => freeKey(tx, key, owner, { onlyUnchanged })).catch(() => {});
      underWay.delete(owner);
      throw error;
    }
    // The key stays claimed until its reply is stored, however long that takes.
    const written = awaitDatabase(() => database.transaction((tx) => keepReply(tx, key, owner, reply)), {
      log,
    })
      .catch((error: unknown) => log.error({ err: error }, 'could not store reply of idempotent request'))
      .finally(() => underWay.delete(owner));
    await Promise.race([written, sleep(PATIENCE_MS, undefined, { ref: false })]);
    return reply;
  };
}

export const digest = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** Copies a value with the fields of its objects sorted. */
export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, entry]) => [name, sorted(entry)]),
  );
}
