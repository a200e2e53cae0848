import type { File } from '@bowerbird/contract';
import type { Tx } from '../foundation/database/index.ts';
import type { Domain, EraseAccount } from '../foundation/domain/index.ts';
import type { Caller, Member } from '../foundation/http/index.ts';
import { createAnnotations, createAnnotationStore, type AnnotationFacts } from './annotation/index.ts';
import { createBlobs, createCollector, createBlobStore, type Blobs, type Collector } from './blob/index.ts';
import {
  createBatches,
  createChanges,
  mountChanges,
  createPlacements,
  mountVersions,
  createRenames,
  type Batches,
  type Placements,
} from './change/index.ts';
import {
  mountDownloads,
  sender,
  createDownloads,
  createLinks,
  mountThumbnails,
  createThumbnails,
  type Sender,
  type ShareGate,
} from './download/index.ts';
import { createArrivals, type ArrivalHooks } from './drive-arrivals.ts';
import type { DriveDeps } from './drive-deps.ts';
import { defineDriveJobs } from './drive-jobs.ts';
import { createDriveStore } from './drive-store.ts';
import { fileView } from './drive-view.ts';
import type { Links } from './drive.ts';
import { createEventLog, type Events, type Recents } from './event/index.ts';
import {
  createChecker,
  createCheckStore,
  createDriveEraser,
  createRetention,
  type Finding,
} from './maintenance/index.ts';
import {
  createInventory,
  contextOf,
  mountLists,
  mountSelecting,
  createLists,
  createListStore,
  createNodes,
  createSelecting,
  type Held,
  type Nodes,
} from './node/index.ts';
import { createFolderSizeStore } from './folder-size/index.ts';
import { createNames } from './name-index/index.ts';
import { createSearch, mountSearches, type Searches } from './search/index.ts';
import { createPurges, createPurgeStore, createTrashCan } from './trash/index.ts';
import { createUsages, type Breakdowns } from './usage/index.ts';
import { createTreeCopies, createTreeCopyStore, type TreeCopies } from './tree-copy/index.ts';
import { createVersions, createVersionStore, type Versions } from './version/index.ts';

export { openStorage, StorageRefused, type Blobs, type NewBlob } from './blob/index.ts';
export type { Placements } from './change/index.ts';
export { createAvatarStore, createThumbnailer, type Sender, type Thumbnailer } from './download/index.ts';
export { fileView } from './drive-view.ts';
export { FILE, FOLDER, NOTED_KINDS } from './drive.ts';
export type {
  BlobRow,
  Conflict,
  FileContext,
  LinkOptions,
  Links,
  ListOrder,
  NodeRow,
  ShownNode,
  SignedLink,
  ThumbnailSize,
} from './drive.ts';
export { ARRIVALS, type Events, type Recents } from './event/index.ts';
export type { Finding } from './maintenance/index.ts';
export { compareBytes, nameKey } from './name-key.ts';
export type { Held, NewFile, Nodes } from './node/index.ts';
export type { Breakdown } from './usage/index.ts';
export { searchPage, type Found, type Searches } from './search/index.ts';
export { TreeCopyCancelled, type TreeCopy, type TreeCopyResult, type TreeCopies } from './tree-copy/index.ts';

export interface Drive extends Domain, ArrivalHooks {
  readonly nodes: Nodes;
  readonly blobs: Blobs;
  readonly treeCopies: TreeCopies;
  readonly links: Links;
  readonly collector: Collector;
  readonly events: Events;
  readonly searches: Searches;
  readonly recents: Recents;
  readonly placements: Placements;
  readonly copyAs: Batches['copyAs'];
  /** Hook for a domain that stores more about nodes than their rows: see {@link TreeCopies.onCopy}. */
  readonly onCopy: TreeCopies['onCopy'];
  /** Responds to a request with a file's bytes, honoring conditions and ranges. */
  readonly send: Sender;
  /** Moves nodes of an account to the trash; those that are deleted or trashed already are skipped. */
  trash(tx: Tx, account: string, ids: readonly string[]): Promise<void>;
  /** Returns the live nodes among `ids` as their owner sees them, by id. */
  views(viewer: Member, caller: Caller, ids: readonly string[]): Promise<Map<string, File>>;
  /** Hook for shares: download links issued through a share end with it. */
  onShare(gate: ShareGate): void;
  /** Checks that nodes, bytes and quotas agree, and repairs what it can. Nothing else may run during a repair. */
  check(options: { repair: boolean }): Promise<Finding[]>;
  /** Iterates over all nodes of an account, reading a page at a time. */
  inventory(account: string): AsyncIterable<Held>;
  readonly versions: Pick<Versions, 'removable' | 'ofAccount'>;
  /** Lists tags, notes and pinned folders of an account. */
  readonly annotationFacts: AnnotationFacts;
  /** Returns what the account's storage is used for, by kind and by folder. */
  readonly breakdown: Breakdowns;
  /** Deletes everything in the account's drive. Returns the number of rows removed. */
  readonly eraseAccount: EraseAccount;
}

/** Members' files: tree, blobs, trash and links. */
export function createDrive(deps: DriveDeps): Drive {
  const { database, storage, clock, keys, cursors, quota, tasks, traffic, benefits: trashRules } = deps;
  const names = createNames(deps);
  const store = createDriveStore({ names: names.records });
  const blobStore = createBlobStore();
  const copyStore = createTreeCopyStore({ names: names.records });
  const annotationStore = createAnnotationStore();
  const purge = createPurgeStore({ names: names.records, annotations: annotationStore });
  const versionStore = createVersionStore();
  const sizes = createFolderSizeStore();

  const lists = createLists({ store: createListStore() });
  const trash = createTrashCan({ store, sizes, jobs: deps.jobs, clock });
  const nodes = createNodes({ ...deps, store, lists, trash, sizes });
  const annotations = createAnnotations({ ...deps, nodes, annotationStore });
  const blobs = createBlobs({ store: blobStore, clock });
  const eventLog = createEventLog({ ...deps, nodes });
  const { events, recents } = eventLog;
  const purges = createPurges({ ...deps, store, purge, sizes, versionStore });
  const parts = { ...deps, store, nodes, trash, purges, sizes };
  const versions = createVersions({
    ...deps,
    versionStore,
    release: (tx, blobs, now) => purge.release(tx, blobs, now),
    lock: (tx, account) => nodes.lock(tx, account),
  });
  const changes = createChanges(parts);
  const treeCopies = createTreeCopies({ ...parts, copyStore });
  const batches = createBatches({ ...deps, nodes, lists, changes, treeCopies });
  const selecting = createSelecting({ database, nodes, lists });
  const renames = createRenames({ ...deps, store, nodes });
  const retention = createRetention({ ...parts, trashRules });
  const collector = createCollector({ database, store: blobStore, bytes: storage, clock });
  const searches = createSearch({
    ...deps,
    names: names.store,
    nodes,
    tags: annotations.tagStore,
    notes: annotations.noteStore,
  });
  const links = createLinks({ keys, clock, posters: deps.thumbnailer?.posters ?? false });
  const usages = createUsages({ ...deps, nodes, sizes, versionStore, links });
  const placements = createPlacements({
    ...parts,
    blobs,
    versions,
    recents,
    annotations: annotationStore,
  });
  const downloads = createDownloads({
    ...deps,
    store,
    versionStore,
    blobs: blobStore,
    bytes: storage,
    links,
  });
  const thumbnails = createThumbnails({ bytes: storage, thumbnailer: deps.thumbnailer, room: deps.room });

  const arrivals = createArrivals();
  const checker = createChecker({
    ...deps,
    check: createCheckStore(),
    unindexed: names.check,
    store,
    sizes,
    purge,
    versionStore,
    annotationStore,
    purges,
    treeCopies,
    reserved: arrivals.reserved,
    blobs,
    bytes: storage,
    collector,
  });

  let onCopy: Parameters<TreeCopies['onCopy']>[0] | undefined;
  treeCopies.onCopy(async (tx, account, mappings) => {
    await annotationStore.copied(tx, account, mappings);
    await onCopy?.(tx, account, mappings);
  });
  tasks.onCancel('copy', (tx, task) => treeCopies.cancelled(tx, task.id));

  return {
    nodes,
    blobs,
    events,
    recents,
    treeCopies,
    links,
    searches,
    collector,
    placements,
    copyAs: (tx, node, to) => batches.copyAs(tx, node, to),
    onCopy(copied) {
      onCopy = copied;
    },
    send: sender(downloads),
    async trash(tx, account, ids) {
      await nodes.lock(tx, account);
      const live = await nodes.findMany(tx, account, ids);
      await trash.put(
        tx,
        account,
        live.map(({ id }) => id),
      );
    },
    async views(viewer, caller, ids) {
      const context = contextOf(viewer, caller, links);
      const live = await nodes.findMany(database, viewer.account, ids);
      return new Map(live.map((node) => [node.id, fileView(node, context)]));
    },
    ...arrivals.hooks,
    onShare: (gate) => links.onShare(gate),
    check: (options) => checker.check(options),
    inventory: createInventory({ database, lists }),
    versions,
    annotationFacts: annotations.facts,
    breakdown: usages.breakdown,
    eraseAccount: createDriveEraser({
      database,
      store,
      copyStore,
      eventLog,
      versionStore,
      annotationStore,
      nodes,
      purges,
      treeCopies,
      names: names.records,
    }),
    mount({ api, http }) {
      mountLists(api, {
        database,
        cursors,
        clock,
        nodes,
        lists,
        blobs,
        links,
        traffic,
        trashRules,
        annotationsOf: annotationStore.of,
        opened: recents.opened,
        ...arrivals,
      });
      mountSearches(api, {
        database,
        cursors,
        searches,
        links,
        trashRules,
        annotationsOf: annotationStore.of,
      });
      annotations.mount(api);
      eventLog.mount(api, { cursors, links, annotationsOf: annotationStore.of });
      mountChanges(api, { database, nodes, changes, batches, renames, quota, links, ...arrivals });
      mountSelecting(api, { database, cursors, nodes, selecting });
      mountVersions(api, { ...deps, nodes, versions, versionStore, placements, links });
      usages.mount(api);
      mountDownloads(http, { downloads, links });
      mountThumbnails(http, { downloads, links, thumbnails });
    },
    define: (jobs) =>
      defineDriveJobs(jobs, {
        batches,
        renames,
        treeCopies,
        purges,
        retention,
        collector,
        eventLog,
        versions,
        merges: names.merges,
      }),
    close: () => recents.flush(),
  };
}
