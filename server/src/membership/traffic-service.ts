import { ApiFailure, type ErrorId } from '@bowerbird/contract';
import type { Database, Sql, Tx } from '../foundation/database/index.ts';
import { createWriteBuffer, type Clock, type Log } from '../foundation/index.ts';
import type { MembershipStore } from './membership-store.ts';
import { monthEnd, monthOf, type TransferKind, type TrafficTotals } from './membership.ts';
import type { Pace, Speeds } from './speed-service.ts';
import { trafficLimits, type Benefits, type Term, type TrafficLimits } from './plan/index.ts';

/** Bytes of a kind that an account is going to move: uploads and cloud downloads that have begun. */
export type Announced = (sql: Sql, account: string) => Promise<number>;

/**
 * Monthly traffic of members, and its limits. A limit is looked up when something begins, never for a chunk; without
 * limits nothing is looked up at all.
 */
export interface Traffic {
  /** Counts within the transaction in which the bytes arrived. */
  add(tx: Tx, account: string, kind: TransferKind, bytes: number): Promise<void>;
  /**
   * Throws `traffic_…_limit` unless these bytes fit into the month, besides those that were counted and announced.
   * Callers that charge or reserve storage in the same transaction have a lock, so parallel ones can't exceed the limit.
   */
  check(sql: Sql, account: string, kind: TransferKind, bytes: number): Promise<void>;
  /**
   * Begins a download; throws `traffic_…_limit` if the month has nothing left. Bytes of downloads that run in this
   * process count as sent, so at most one download exceeds the limit.
   */
  begin(account: string, download: NewDownload): Promise<Moving>;
  /** Returns the bytes that are left, of which `Infinity` stands for no limit. */
  left(sql: Sql, account: string, kind: TransferKind): Promise<number>;
  /** Returns what was used in this month, and the limits with the packs from which they follow. */
  state(sql: Sql, account: string): Promise<TrafficState>;
  /** Hook for domains whose bytes arrive later than they are accepted. */
  onAnnounced(kind: 'upload' | 'offline', announced: Announced): void;
  /** Writes the buffered counts. */
  flush(): Promise<void>;
}

/** Traffic of a member in this month. */
export interface TrafficState {
  readonly used: TrafficTotals;
  readonly limits: TrafficLimits;
  /** Packs in force, the first to end first. */
  readonly packs: readonly Term[];
  /** When the month ends, in milliseconds. */
  readonly resetAt: number;
}

export interface NewDownload {
  /** `shared` if it goes through a share. */
  readonly kind: 'download' | 'shared';
  /** About as many bytes as it has; 0 if nobody knows. */
  readonly bytes: number;
  /** Address of whoever downloads. */
  readonly address: string;
}

/** A download that has begun. */
export interface Moving {
  /** Counts sent bytes, in the write buffer. */
  sent(bytes: number): void;
  /** Call it once nothing more is sent. */
  end(): void;
  /** Undefined if the speed has no limit. */
  readonly pace: Pace | undefined;
}

interface Transfer {
  readonly account: string;
  readonly month: string;
  readonly kind: TransferKind;
  readonly bytes: number;
}

const WRITE_EVERY_MS = 3000;
const REFUSALS = {
  offline: 'traffic_offline_limit',
  download: 'traffic_download_limit',
  upload: 'traffic_upload_limit',
  shared: 'traffic_shared_limit',
} as const satisfies Record<TransferKind, ErrorId>;

export function createTraffic({
  database,
  store,
  benefits,
  speeds,
  isSold,
  clock,
  log,
}: {
  database: Database;
  store: MembershipStore;
  benefits: Pick<Benefits, 'least' | 'traffic'>;
  speeds: Speeds;
  /** True if members can buy more traffic. */
  isSold: boolean;
  clock: Clock;
  log: Log;
}): Traffic {
  const least = trafficLimits(benefits.least, []);
  const announced = new Map<TransferKind, Announced>();
  /** Bytes that running downloads of this process have not sent yet, by kind and account. */
  const running = new Map<string, number>();
  const keyOf = (account: string, month: string, kind: TransferKind): string =>
    JSON.stringify([account, month, kind]);

  const buffer = createWriteBuffer<Transfer>({
    everyMs: WRITE_EVERY_MS,
    sum: (one, other) => ({ ...one, bytes: one.bytes + other.bytes }),
    write: (sums) =>
      database.transaction(async (tx) => {
        for (const sum of sums.values())
          // Skips accounts that were erased in the meantime.
          if (await store.find(tx, sum.account)) await store.addTransfer(tx, sum);
      }),
    failed: (error) => log.warn({ err: error }, 'could not write traffic counts'),
  });

  function count(account: string, kind: TransferKind, bytes: number): void {
    if (bytes <= 0) return;
    const month = monthOf(clock.now());
    buffer.add(keyOf(account, month, kind), { account, month, kind, bytes });
  }

  async function of(sql: Sql, account: string): Promise<TrafficTotals> {
    const month = monthOf(clock.now());
    const written = await store.traffic(sql, account, month);
    const total = (kind: TransferKind): number =>
      (written.get(kind) ?? 0) + (buffer.get(keyOf(account, month, kind))?.bytes ?? 0);
    return {
      upload: total('upload'),
      download: total('download'),
      offline: total('offline'),
      shared: total('shared'),
    };
  }

  /** Counted and announced bytes of the month. */
  async function taken(sql: Sql, account: string, kind: TransferKind): Promise<number> {
    const coming = (await announced.get(kind)?.(sql, account)) ?? 0;
    const counted = (await of(sql, account))[kind];
    // Read last and without waiting, so that two downloads that begin at once see each other.
    return coming + counted + (running.get(keyOf(account, '', kind)) ?? 0);
  }

  /** Throws unless these bytes fit. Whoever is below what everybody has needs no look at their plans. */
  async function demand(sql: Sql, account: string, kind: TransferKind, bytes: number): Promise<void> {
    if ((await taken(sql, account, kind)) + bytes <= least[kind]) return;
    const limit = (await benefits.traffic(sql, account)).limits[kind];
    const now = clock.now();
    const used = await taken(sql, account, kind);
    if (used + bytes <= limit) return;
    const wait = { retry_in: String(Math.ceil((monthEnd(now) - now) / 1000)) };
    // A visitor of a share doesn't learn anything about its owner.
    if (kind === 'shared') throw new ApiFailure(REFUSALS.shared, wait);
    throw new ApiFailure(REFUSALS[kind], {
      used_bytes: String(used),
      limit_bytes: String(limit),
      ...wait,
      ...(isSold ? { more: 'traffic' } : {}),
    });
  }

  return {
    add: (tx, account, kind, bytes) =>
      store.addTransfer(tx, { account, kind, bytes, month: monthOf(clock.now()) }),

    async check(sql, account, kind, bytes) {
      if (least[kind] !== Infinity) await demand(sql, account, kind, bytes);
    },

    async begin(account, { kind, bytes, address }) {
      const paced = () => speeds.begin(account, kind === 'shared' ? address : undefined);
      if (least[kind] === Infinity) {
        const pace = await paced();
        return { sent: (more) => count(account, kind, more), end: () => pace?.end(), pace };
      }
      await demand(database, account, kind, 1);
      const key = keyOf(account, '', kind);
      let rest = 0;
      const expect = (more: number): void => {
        rest += more;
        const sum = (running.get(key) ?? 0) + more;
        if (sum > 0) running.set(key, sum);
        else running.delete(key);
      };
      expect(bytes);
      const pace = await paced().catch((error: unknown) => {
        expect(-rest);
        throw error;
      });
      return {
        pace,
        sent(more) {
          count(account, kind, more);
          expect(-Math.min(rest, more));
        },
        end() {
          pace?.end();
          expect(-rest);
        },
      };
    },

    async left(sql, account, kind) {
      if (least[kind] === Infinity) return Infinity;
      const limit = (await benefits.traffic(sql, account)).limits[kind];
      return Math.max(0, limit - (await taken(sql, account, kind)));
    },

    state: async (sql, account) => ({
      used: await of(sql, account),
      ...(await benefits.traffic(sql, account)),
      resetAt: monthEnd(clock.now()),
    }),
    onAnnounced: (kind, look) => void announced.set(kind, look),
    flush: buffer.flush,
  };
}
