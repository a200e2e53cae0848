import { ApiFailure, LIMITS, type VersionCause } from '@bowerbird/contract';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import type { Clock, Ids } from '../../foundation/index.ts';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import type { Benefits, Quota } from '../../membership/index.ts';
import type { NodeRow } from '../drive.ts';
import type { VersionStore } from './version-store.ts';
import { isPinned, type RemovedVersion, type VersionRow } from './version.ts';

/**
 * Earlier contents of files. A content that is replaced becomes a version, by reference: no bytes are copied. Versions
 * count toward the owner's storage. All changes run in a transaction that holds the account's tree lock.
 */
export interface Versions {
  /**
   * Keeps the content of a file that is about to be replaced, and removes the oldest versions beyond the owner's limit.
   * Returns the id of the version; undefined if the content isn't kept. `isSameVisit` is false if the content must not
   * be left out because the same program replaced an earlier one a moment ago.
   */
  keep(
    tx: Tx,
    file: NodeRow,
    replaced: { by: VersionCause; hash: string; isSameVisit?: boolean | undefined },
  ): Promise<string | undefined>;
  /**
   * Removes the oldest versions of a file until so many bytes fit into the owner's storage, or none is left. Returns
   * what it removed.
   */
  makeRoom(tx: Tx, file: NodeRow, bytes: number): Promise<readonly RemovedVersion[]>;
  /** Returns the bytes that {@link Versions.makeRoom} can free. */
  removable(sql: Sql, node: string): Promise<number>;
  /** Lists the versions of all files of an account, in the order of their ids, with the names of the files. */
  ofAccount(
    sql: Sql,
    account: string,
    page: { after: string; limit: number },
  ): Promise<(VersionRow & { name: string })[]>;
  /** Moves the versions of a file, which is about to be deleted, to another, as many as the owner's limit allows. */
  adopt(tx: Tx, from: NodeRow, to: NodeRow): Promise<void>;
  /** Removes versions, and gives back their storage. */
  remove(tx: Tx, account: string, rows: readonly RemovedVersion[]): Promise<void>;
  /** Sets the label, or whether the version is kept forever; throws `version_limit`. */
  change(
    tx: Tx,
    version: VersionRow,
    change: { label: string | undefined; kept: boolean | undefined },
  ): Promise<VersionRow>;
  /** Removes versions that are older than their owners' limits allow. */
  expire(signal: AbortSignal): Promise<void>;
}

/** Contents that a program replaces within this time belong to one visit: only the first is kept. */
const VISIT_MS = 5 * 60 * 1000;
/** Ways to replace a content that programs and people use again and again while they work. */
const REPEATED: ReadonlySet<VersionCause> = new Set(['webdav', 'edit']);
const DAY_MS = 24 * 3600 * 1000;
const SLICE = 200;

interface VersionDeps {
  readonly database: Database;
  readonly versionStore: VersionStore;
  /** Queues blobs for the collector to which nothing refers any more. */
  readonly release: (tx: Tx, blobs: readonly number[], now: number) => Promise<void>;
  readonly quota: Quota;
  readonly benefits: Pick<Benefits, 'entitlements' | 'least'>;
  readonly lock: (tx: Tx, account: string) => Promise<void>;
  readonly clock: Clock;
  readonly ids: Ids;
}

export function createVersions(deps: VersionDeps): Versions {
  const { database, versionStore, release, quota, benefits, lock, clock, ids } = deps;

  async function isSameVisit(tx: Tx, file: NodeRow, by: VersionCause): Promise<boolean> {
    if (!REPEATED.has(by)) return false;
    const newest = await versionStore.newest(tx, file.id);
    return newest?.how === by && Math.abs(clock.now() - newest.replaced_at) < VISIT_MS;
  }

  /** Removes the oldest versions of a file beyond a number. */
  const trim = async (tx: Tx, { id, account }: NodeRow, most: number): Promise<void> =>
    versions.remove(tx, account, await versionStore.beyond(tx, id, Math.min(most, LIMITS.versions)));

  const versions: Versions = {
    async keep(tx, file, { by, hash, isSameVisit: may = true }) {
      if (file.blob === null || file.blob === hash || file.size === 0) return undefined;
      const { versions: most } = await benefits.entitlements(tx, file.account);
      if (most === 0 || (may && (await isSameVisit(tx, file, by)))) return undefined;
      const id = ids.next();
      await versionStore.insert(tx, {
        id,
        account: file.account,
        node: file.id,
        hash: file.blob,
        size: file.size,
        modified_at: file.modified_at,
        replaced_at: clock.now(),
        how: by,
      });
      await trim(tx, file, most);
      return id;
    },

    async makeRoom(tx, file, bytes) {
      const { limit, used, reserved } = await quota.of(tx, file.account);
      let lacking = bytes - Math.max(0, limit - used - reserved);
      const gone: RemovedVersion[] = [];
      if (lacking <= 0) return gone;
      for (const version of await versionStore.oldest(tx, file.id, LIMITS.versions)) {
        if (lacking <= 0) break;
        gone.push(version);
        lacking -= version.size;
      }
      await versions.remove(tx, file.account, gone);
      return gone;
    },

    removable: async (sql, node) => (await versionStore.sums(sql, node)).removable,

    ofAccount: (sql, account, page) => versionStore.ofAccount(sql, account, page),

    async adopt(tx, from, to) {
      const { versions: most } = await benefits.entitlements(tx, to.account);
      await versionStore.adopt(tx, from.id, to.id);
      if (most > 0) await trim(tx, to, most);
    },

    async remove(tx, account, rows) {
      if (rows.length === 0) return;
      await versionStore.remove(
        tx,
        rows.map(({ id }) => id),
      );
      await release(tx, [...new Set(rows.map(({ blob }) => blob))], clock.now());
      for (const [node, group] of Map.groupBy(rows, (row) => row.node))
        await quota.refund(
          tx,
          account,
          group.reduce((sum, { size }) => sum + size, 0),
          { reason: 'version', reference: node },
        );
    },

    async change(tx, version, { label = version.label, kept = version.kept === 1 }) {
      const changed = { label: label.trim(), kept: kept ? 1 : 0 } as const;
      if (isPinned(changed) && !isPinned(version)) {
        const many = await versionStore.pinned(tx, version.node);
        if (many >= LIMITS.versionsPinned)
          throw new ApiFailure('version_limit', { limit: String(LIMITS.versionsPinned) });
      }
      await versionStore.change(tx, version.id, changed);
      return { ...version, ...changed };
    },

    async expire(signal) {
      for (let after = '', more = true; more;) {
        const accounts = await versionStore.accounts(database, after, SLICE);
        for (const account of accounts) await expireOf(account, signal);
        more = accounts.length === SLICE;
        after = accounts.at(-1) ?? '';
      }
    },
  };

  /** Returns versions that are too old, at most a slice. */
  async function tooOld(sql: Sql, account: string): Promise<RemovedVersion[]> {
    const { versionDays } = await benefits.entitlements(sql, account);
    if (versionDays === Infinity) return [];
    return versionStore.older(sql, account, clock.now() - versionDays * DAY_MS, SLICE);
  }

  async function expireOf(account: string, signal: AbortSignal): Promise<void> {
    // Looked for without the lock first: it counts as a change of the tree.
    while ((await tooOld(database, account)).length > 0) {
      signal.throwIfAborted();
      await database.transaction(async (tx) => {
        await lock(tx, account);
        await versions.remove(tx, account, await tooOld(tx, account));
      });
      await yieldToEventLoop();
    }
  }

  return versions;
}
