import { createAccesses, createGrantStore } from './access/index.ts';
import { createAnnotations, createAnnotationStore } from './annotation/index.ts';
import { createBlobs, createCollector, createBlobStore } from './blob/index.ts';
import {
  createBatches,
  createChanges,
  mountChanges,
  createPlacements,
  mountVersions,
  createRenames,
} from './change/index.ts';
import {
  mountDownloads,
  sender,
  createDownloads,
  createLinks,
  mountThumbnails,
  createThumbnails,
} from './download/index.ts';
import { createArrivals } from './drive-arrivals.ts';
import type { DriveDeps } from './drive-deps.ts';
import type { Drive } from './drive-domain.ts';
import { defineDriveJobs } from './drive-jobs.ts';
import { createDriveStore } from './drive-store.ts';
import { fileView } from './drive-view.ts';
import { createEventLog } from './event/index.ts';
import { createChecker, createCheckStore, createDriveEraser, createRetention } from './maintenance/index.ts';
import {
  createInventory,
  contextOf,
  mountLists,
  mountSelecting,
  createLists,
  createListStore,
  createNodes,
  createSelecting,
} from './node/index.ts';
import { createFolderSizeStore } from './folder-size/index.ts';
import { createNames } from './name-index/index.ts';
import { createGrants, INVITATIONS, mountPeople } from './people/index.ts';
import { createSearch, mountSearches } from './search/index.ts';
import { createPurges, createPurgeStore, createTrashCan } from './trash/index.ts';
import { createUsages } from './usage/index.ts';
import { createTreeCopies, createTreeCopyStore, type TreeCopies } from './tree-copy/index.ts';
import { createVersions, createVersionStore } from './version/index.ts';

export { openStorage, StorageRefused, type Blobs, type NewBlob } from './blob/index.ts';
export type { Placements } from './change/index.ts';
export { createAvatarStore, createThumbnailer, type Sender, type Thumbnailer } from './download/index.ts';
export { accessContext, accessibleView, ownAccess, type Access, type Accesses } from './access/index.ts';
export type { Drive } from './drive-domain.ts';
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

/** Members' files: tree, blobs, trash and links. */
export function createDrive(deps: DriveDeps): Drive {
  const { database, storage, clock, keys, cursors, quota, tasks, benefits: trashRules } = deps;
  const names = createNames(deps);
  const store = createDriveStore({ names: names.records });
  const blobStore = createBlobStore();
  const copyStore = createTreeCopyStore({ names: names.records });
  const annotationStore = createAnnotationStore();
  const purge = createPurgeStore({ names: names.records, annotations: annotationStore });
  const versionStore = createVersionStore();
  const sizes = createFolderSizeStore();

  const grantStore = createGrantStore();

  const lists = createLists({ store: createListStore() });
  const trash = createTrashCan({ store, sizes, jobs: deps.jobs, clock });
  const nodes = createNodes({ ...deps, store, lists, trash, sizes });
  const annotations = createAnnotations({ ...deps, nodes, annotationStore });
  const accesses = createAccesses({ ...deps, store: grantStore, nodes });
  const grants = createGrants({
    ...deps,
    store: grantStore,
    nodes,
    guard: deps.shield.guard('invite-person', INVITATIONS),
    siteUrl: deps.config.SITE_URL,
  });
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
    accesses,
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
    accesses,
    grants,
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
      grantStore,
      versionStore,
      annotationStore,
      nodes,
      purges,
      treeCopies,
      names: names.records,
    }),
    mount({ api, http }) {
      mountLists(api, {
        ...deps,
        nodes,
        lists,
        blobs,
        links,
        trashRules,
        accesses,
        annotationsOf: annotationStore.of,
        opened: recents.opened,
        ...arrivals,
      });
      mountPeople(api, { ...deps, nodes, accesses, grants, links });
      mountSearches(api, {
        ...deps,
        searches,
        accesses,
        links,
        trashRules,
        annotationsOf: annotationStore.of,
      });
      annotations.mount(api);
      eventLog.mount(api, { cursors, links, annotationsOf: annotationStore.of });
      mountChanges(api, { database, nodes, changes, batches, renames, quota, links, ...arrivals });
      mountSelecting(api, { database, cursors, nodes, accesses, selecting });
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
        grants,
        versions,
        merges: names.merges,
      }),
    close: () => recents.flush(),
  };
}
