import { ApiFailure, type Locale } from '@bowerbird/contract';
import type { BlobStore, OpenBlob, Room } from '@bowerbird/storage';
import { gather, zip } from '../archive/index.ts';
import { isUniqueViolation, type Database } from '../foundation/database/index.ts';
import type { Clock, Ids, Keys } from '../foundation/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import { contentsOf, type Facts } from './takeout-content.ts';
import type { TakeoutStore } from './takeout-store.ts';
import { KEPT_DAYS, stagingIdOf, storeKeyOf, type TakeoutRow } from './takeout.ts';

export interface Takeouts {
  list(account: string): Promise<TakeoutRow[]>;
  /** Starts a takeout, or returns the running one. Throws `too_frequent` at the daily limit. */
  begin(account: string, locale: Locale): Promise<TakeoutRow>;
  /** Returns path and query of a download link that is valid for some minutes. */
  link(account: string, id: string): Promise<string>;
  /** Opens the takeout of such a link; throws `not_found` for invalid and expired links. */
  open(
    link: { id: string; expire: string; sign: string },
    account: string | undefined,
  ): Promise<{ row: TakeoutRow; blob: OpenBlob }>;
  remove(account: string, id: string): Promise<void>;
  /** Deletes all takeouts of the account. Returns the number of takeouts removed. */
  eraseAccount(account: string, signal: AbortSignal): Promise<number>;
  define(jobs: Jobs): void;
}

const JOB = 'make-takeout';
const LINK = 'takeout-link';
const LINK_SECONDS = 600;
const DAY_MS = 24 * 3600 * 1000;
const HOUR_MS = 3600 * 1000;
const MOST_A_DAY = 5;
const ATTEMPTS = 5;
const SLICE = 100;

interface Parts {
  database: Database;
  store: TakeoutStore;
  storage: BlobStore;
  room: Room;
  facts: Facts;
  jobs: Jobs;
  keys: Keys;
  clock: Clock;
  ids: Ids;
}

export function createTakeouts(parts: Parts): Takeouts {
  const { database, store, storage, room, facts, jobs, keys, clock, ids } = parts;

  const own = async (account: string, id: string): Promise<TakeoutRow> => {
    const row = await store.find(database, id);
    if (row?.account !== account) throw new ApiFailure('not_found');
    return row;
  };

  /** The bytes are deleted first: a remaining row is found again. */
  async function forget({ id }: TakeoutRow): Promise<void> {
    await storage.discard(stagingIdOf(id));
    await storage.remove(storeKeyOf(id));
    await database.transaction((tx) => store.remove(tx, id));
  }

  async function make(row: TakeoutRow, signal: AbortSignal): Promise<void> {
    const { id, account, locale } = row;
    const tell = async (progress: number): Promise<void> => {
      signal.throwIfAborted();
      const isWanted = await database.transaction((tx) => store.make(tx, id, { progress }));
      if (!isWanted) throw new ApiFailure('cancelled');
    };
    const entries = contentsOf(facts, { account, locale, at: row.createdAt }, tell);
    // Removes the remains of a killed process, then starts over.
    await storage.remove(storeKeyOf(id));
    const staging = await storage.stage(stagingIdOf(id));
    const claim = await room.claim();
    const { size } = await staging
      .writePart(1, claim.through(gather(zip(entries))))
      .finally(() => claim.release());
    await staging.keep(storeKeyOf(id), [{ number: 1, size }]);
    const isKept = await database.transaction((tx) =>
      store.make(tx, id, {
        state: 'ready',
        progress: 100,
        store_key: storeKeyOf(id),
        size,
        expires_at: clock.now() + KEPT_DAYS * DAY_MS,
      }),
    );
    if (!isKept) await forget(row);
  }

  async function run(id: string, attempts: number, signal: AbortSignal): Promise<void> {
    const row = await store.find(database, id);
    if (row?.state !== 'making') return;
    try {
      await make(row, signal);
    } catch (error) {
      if (signal.aborted) throw error;
      if (!(await store.find(database, id))) return forget(row);
      if (attempts < ATTEMPTS) throw error;
      const expiresAt = clock.now() + KEPT_DAYS * DAY_MS;
      await database.transaction((tx) => store.make(tx, id, { state: 'failed', expires_at: expiresAt }));
      await storage.discard(stagingIdOf(id));
    }
  }

  return {
    list: (account) => store.list(database, account),

    async begin(account, locale) {
      const known = await store.list(database, account);
      const making = known.find(({ state }) => state === 'making');
      if (making) return making;
      if (known.filter(({ createdAt }) => Math.abs(clock.now() - createdAt) < DAY_MS).length >= MOST_A_DAY)
        throw new ApiFailure('too_frequent');
      const id = ids.next();
      const row: TakeoutRow = {
        id,
        account,
        state: 'making',
        progress: 0,
        locale,
        storeKey: undefined,
        size: undefined,
        createdAt: clock.now(),
        expiresAt: undefined,
      };
      try {
        await database.transaction(async (tx) => {
          await store.insert(tx, row);
          await jobs.enqueue(tx, JOB, { id }, { key: id });
        });
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        return (await store.list(database, account))[0]!;
      }
      return row;
    },

    async link(account, id) {
      const row = await own(account, id);
      if (row.state !== 'ready') throw new ApiFailure('not_found');
      const expire = String(Math.floor(clock.now() / 1000) + LINK_SECONDS);
      return `/takeout/?id=${id}&expire=${expire}&sign=${keys.sign(LINK, `${id} ${expire}`)}`;
    },

    async open({ id, expire, sign }, account) {
      const isGood = keys.verify(LINK, `${id} ${expire}`, sign) && Number(expire) * 1000 > clock.now();
      if (!isGood || account === undefined) throw new ApiFailure('not_found');
      const row = await own(account, id);
      const isThere = row.storeKey !== undefined && (row.expiresAt ?? 0) > clock.now();
      if (!isThere) throw new ApiFailure('not_found');
      return { row, blob: await storage.open(row.storeKey!) };
    },

    remove: async (account, id) => forget(await own(account, id)),

    async eraseAccount(account, signal) {
      const all = await store.list(database, account);
      for (const row of all) {
        signal.throwIfAborted();
        await forget(row);
      }
      return all.length;
    },

    define(queue) {
      queue.define<{ id: string }>(JOB, ({ id }, { attempts, signal }) => run(id, attempts, signal));
      queue.define(
        'forget-takeouts',
        async (_payload, { signal }) => {
          for (let due; (due = await store.expired(database, clock.now(), SLICE)).length > 0;)
            for (const row of due) {
              signal.throwIfAborted();
              await forget(row);
            }
        },
        { everyMs: HOUR_MS },
      );
    },
  };
}
