import type { Database, Sql, Tx } from '../foundation/database/index.ts';
import { createWriteBuffer, type Clock, type Log } from '../foundation/index.ts';
import type { MembershipStore } from './membership-store.ts';
import { monthOf, type TransferKind, type TrafficTotals } from './membership.ts';

/** Monthly traffic of members: counted only, never a reason to reject a request. */
export interface Traffic {
  /** Counts within the transaction in which the bytes arrived. */
  add(tx: Tx, account: string, kind: TransferKind, bytes: number): Promise<void>;
  /** Counts in the write buffer, because a download may consist of many small reads. */
  count(account: string, kind: TransferKind, bytes: number): void;
  of(sql: Sql, account: string): Promise<TrafficTotals>;
  /** Writes the buffered counts. */
  flush(): Promise<void>;
}

interface Transfer {
  readonly account: string;
  readonly month: string;
  readonly kind: TransferKind;
  readonly bytes: number;
}

const WRITE_EVERY_MS = 3000;

export function createTraffic({
  database,
  store,
  clock,
  log,
}: {
  database: Database;
  store: MembershipStore;
  clock: Clock;
  log: Log;
}): Traffic {
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

  return {
    add: (tx, account, kind, bytes) =>
      store.addTransfer(tx, { account, kind, bytes, month: monthOf(clock.now()) }),

    count(account, kind, bytes) {
      if (bytes <= 0) return;
      const month = monthOf(clock.now());
      buffer.add(JSON.stringify([account, month, kind]), { account, month, kind, bytes });
    },

    async of(sql, account) {
      const month = monthOf(clock.now());
      const written = await store.traffic(sql, account, month);
      const waiting = (kind: TransferKind): number =>
        buffer.get(JSON.stringify([account, month, kind]))?.bytes ?? 0;
      return {
        upload: (written.get('upload') ?? 0) + waiting('upload'),
        download: (written.get('download') ?? 0) + waiting('download'),
        offline: (written.get('offline') ?? 0) + waiting('offline'),
      };
    },

    flush: buffer.flush,
  };
}
