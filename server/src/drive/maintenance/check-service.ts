import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { BlobDamaged, type BlobStore } from '@bowerbird/storage';
import type { Clock } from '../../foundation/index.ts';
import type { Database, Sql } from '../../foundation/database/index.ts';
import type { Quota } from '../../membership/index.ts';
import { isFinished, type Tasks } from '../../task/index.ts';
import { THUMBNAIL_PLACE, type Blobs, type Collector } from '../blob/index.ts';
import type { CheckStore } from './check-store.ts';
import type { TreeCopies } from '../tree-copy/index.ts';
import { freeNames, nameColumns } from '../node/index.ts';
import type { FolderSizeStore } from '../folder-size/index.ts';
import type { NameCheck } from '../name-index/index.ts';
import type { Purges, PurgeStore } from '../trash/index.ts';
import type { AnnotationStore } from '../annotation/index.ts';
import type { VersionStore } from '../version/index.ts';
import type { DriveStore } from '../drive-store.ts';

/** Inconsistency found by the check. */
export interface Finding {
  readonly what:
    | 'node-unreachable'
    | 'node-size'
    | 'version-stray'
    | 'version-size'
    | 'annotation-stray'
    | 'folder-size'
    | 'node-unindexed'
    | 'purge-unfinished'
    | 'graft-abandoned'
    | 'blob-missing'
    | 'blob-damaged'
    | 'blob-size'
    | 'blob-content'
    | 'blob-checksum'
    | 'blob-forgotten'
    | 'object-orphaned'
    | 'quota-used'
    | 'quota-reserved'
    | 'quota-limit'
    | 'ledger';
  /** Id of the node, blob, task or account; key of the object. */
  readonly id: string;
  readonly detail: string;
  readonly repaired: boolean;
}

export interface Checker {
  check(options: { repair: boolean }): Promise<Finding[]>;
}

interface CheckDeps {
  readonly database: Database;
  readonly check: CheckStore;
  readonly unindexed: NameCheck;
  readonly store: DriveStore;
  readonly sizes: FolderSizeStore;
  readonly purge: PurgeStore;
  readonly versionStore: VersionStore;
  readonly annotationStore: Pick<AnnotationStore, 'strays' | 'removeStray'>;
  readonly purges: Purges;
  readonly treeCopies: TreeCopies;
  readonly tasks: Tasks;
  readonly quota: Quota;
  readonly blobs: Blobs;
  readonly bytes: BlobStore;
  readonly collector: Collector;
  readonly clock: Clock;
  /** Quota reserved by uploads, per account. */
  readonly reserved: (sql: Sql) => Promise<ReadonlyMap<string, number>>;
}

const SLICE = 500;

export function createChecker({
  database,
  check,
  unindexed,
  store,
  sizes,
  purge,
  versionStore,
  annotationStore,
  purges,
  treeCopies,
  tasks,
  quota,
  blobs,
  bytes,
  collector,
  clock,
  reserved,
}: CheckDeps): Checker {
  type Report = (
    what: Finding['what'],
    id: string,
    detail: string,
    repair?: () => Promise<unknown>,
  ) => Promise<void>;
  const never = new AbortController().signal;

  async function checkTree(report: Report): Promise<void> {
    for (const { id, kind, size, bytes: real } of await check.misfits(database)) {
      const repair =
        kind === 1 && real !== null
          ? () => database.transaction((tx) => store.update(tx, id, { size: real }))
          : undefined;
      await report('node-size', id, `recorded ${size} bytes, found ${real ?? 'none'}`, repair);
    }
    const lost = new Set<string>();
    for (;;) {
      const node = (await check.unreachable(database, SLICE)).find(({ id }) => !lost.has(id));
      if (!node) return;
      lost.add(node.id);
      await report('node-unreachable', node.id, `${node.name} has the parent ${node.parent}`, () =>
        database.transaction(async (tx) => {
          const [name] = await freeNames(tx, store, node.account, [node]);
          await store.update(tx, node.id, { parent: node.account, ...nameColumns(name!, node.kind) });
        }),
      );
    }
  }

  /** Reports versions without a file, and those whose size isn't that of their bytes. */
  async function checkVersions(report: Report): Promise<void> {
    for (const { id, node, blob, size, real, isStray } of await versionStore.misfits(database)) {
      if (isStray)
        await report('version-stray', id, `its file ${node} does not exist`, () =>
          database.transaction(async (tx) => {
            await versionStore.remove(tx, [id]);
            await purge.release(tx, [blob], clock.now());
          }),
        );
      else
        await report('version-size', id, `recorded ${size} bytes, found ${real}`, () =>
          database.transaction((tx) => versionStore.setSize(tx, id, real)),
        );
    }
  }

  /** Reports tags, notes and pins without their node, and tags of nodes that don't exist. */
  async function checkAnnotations(report: Report): Promise<void> {
    for (const stray of await annotationStore.strays(database))
      await report('annotation-stray', stray.node, `a row of ${stray.table} without its file or tag`, () =>
        database.transaction((tx) => annotationStore.removeStray(tx, stray)),
      );
  }

  async function checkFolderSizes(report: Report): Promise<void> {
    const corrected = new Set<string>();
    for (const wrong of await check.wrongSums(database, SLICE)) {
      const { id, account, bytes: sum, files, folders } = wrong;
      await report(
        'folder-size',
        id,
        `recorded ${sum} bytes, ${files} files and ${folders} folders; found ${wrong.real_bytes}, ${wrong.real_files} and ${wrong.real_folders}`,
        async () => {
          if (corrected.has(account)) return;
          corrected.add(account);
          await database.transaction(async (tx) => {
            await tx.lock(`tree:${account}`);
            await sizes.recount(tx, await check.topFolders(tx, account));
          });
        },
      );
    }
  }

  /** Reports unfinished purges and abandoned tree copies. */
  async function checkPutAway(report: Report): Promise<void> {
    for (const { account, place } of await check.putAway(database)) {
      const task = /^!graft\/(.+)\/$/.exec(place)?.[1];
      if (task === undefined)
        await report('purge-unfinished', place, 'deleted forever, but still there', () =>
          purges.run({ account, place }, never),
        );
      else if (isFinished((await tasks.byId(database, task))?.phase ?? 'PHASE_TYPE_ERROR'))
        await report('graft-abandoned', task, 'made for a task that has ended', () =>
          treeCopies.clear(account, task, never),
        );
    }
    for (const { task, account } of await check.treeCopies(database)) {
      const phase = (await tasks.byId(database, task))?.phase ?? 'PHASE_TYPE_ERROR';
      if (isFinished(phase))
        await report('graft-abandoned', task, 'reserves storage for a task that has ended', () =>
          treeCopies.clear(account, task, never),
        );
    }
  }

  async function checkBlobs(report: Report): Promise<void> {
    for (let after = ''; ;) {
      const rows = await blobs.after(database, after, SLICE);
      for (const { hash, size, store_key } of rows) {
        const kept = await bytes.stat(store_key).catch((error: unknown) => {
          if (error instanceof BlobDamaged) return error;
          throw error;
        });
        if (kept instanceof BlobDamaged) await report('blob-damaged', hash, kept.message);
        else if (!kept) await report('blob-missing', hash, `no data under ${store_key}`);
        else if (kept.size !== size)
          await report('blob-size', hash, `recorded ${size} bytes, found ${kept.size}`);
      }
      if (rows.length < SLICE) break;
      after = rows.at(-1)!.hash;
      await yieldToEventLoop();
    }
    for (const { id, hash } of await check.forgotten(database)) {
      await report('blob-forgotten', hash, 'no file or version uses it', () =>
        database.transaction((tx) => purge.release(tx, [id], clock.now())),
      );
    }
  }

  async function checkObjects(report: Report): Promise<void> {
    for await (const key of collector.strays())
      await report('object-orphaned', key, 'no record refers to this data', () => bytes.remove(key));
    for await (const { key } of bytes.list(`${THUMBNAIL_PLACE}/`)) {
      if (!(await check.knowsHash(database, key.split('/')[1] ?? '')))
        await report('object-orphaned', key, 'thumbnail of data that no longer exists', () =>
          bytes.remove(key),
        );
    }
  }

  async function checkQuota(report: Report): Promise<void> {
    const usage = await check.usage(database);
    const uploads = await reserved(database);
    const building = await check.treeCopies(database);
    for (const account of await quota.accounts(database)) {
      const state = await quota.of(database, account);
      const used = usage.get(account) ?? 0;
      const aside = building
        .filter((treeCopy) => treeCopy.account === account)
        .reduce((sum, treeCopy) => sum + treeCopy.reserved, uploads.get(account) ?? 0);
      const total = await quota.ledgerTotal(database, account);
      const repair = () =>
        database.transaction((tx) => quota.correct(tx, account, { used, reserved: aside }));
      if (state.used !== used)
        await report('quota-used', account, `recorded ${state.used}, counted ${used}`, repair);
      if (state.reserved !== aside)
        await report('quota-reserved', account, `recorded ${state.reserved}, counted ${aside}`, repair);
      if (total !== used) await report('ledger', account, `adds up to ${total}, counted ${used}`, repair);
      await checkLimit(report, account);
    }
  }

  async function checkLimit(report: Report, account: string): Promise<void> {
    const limit = await quota.compareLimit(database, account);
    if (!limit) return;
    const { recorded, computed, ledger } = limit;
    if (recorded === computed && ledger === computed) return;
    await report('quota-limit', account, `is ${recorded}, computed ${computed}, ledger ${ledger}`, () =>
      database.transaction((tx) => quota.correctLimit(tx, account)),
    );
  }

  return {
    async check({ repair }) {
      const findings: Finding[] = [];
      const report: Report = async (what, id, detail, mend) => {
        if (repair && mend) await mend();
        findings.push({ what, id, detail, repaired: repair && mend !== undefined });
      };
      // The order matters: repairs made first change the counts made last.
      await checkPutAway(report);
      await checkTree(report);
      await checkVersions(report);
      await checkAnnotations(report);
      await checkFolderSizes(report);
      for await (const { node, repair: index } of unindexed())
        await report('node-unindexed', node.id, 'is not found by its name', index);
      await checkBlobs(report);
      await checkObjects(report);
      await checkQuota(report);
      return findings;
    },
  };
}
