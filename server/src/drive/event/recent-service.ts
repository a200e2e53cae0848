import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import {
  ApiFailure,
  categoryOf,
  playedPart,
  RECENT_KINDS,
  RESUME,
  type FileCategory,
  type RecentKind,
} from '@bowerbird/contract';
import { createWriteBuffer, type Clock, type Ids, type Log } from '../../foundation/index.ts';
import type { Database, KeysetPosition, Tx } from '../../foundation/database/index.ts';
import type { Nodes } from '../node/index.ts';
import { FOLDER, type NodeRow, type NotedKind } from '../drive.ts';
import type { RecentRow } from './recent.ts';
import type { RecentRemovalStore } from './recent-removal-store.ts';
import type { RecentStore } from './recent-store.ts';

/** A file in Recent with its latest event, and its folder: undefined for the root. */
export interface RecentFile {
  readonly event: RecentRow;
  readonly node: NodeRow;
  readonly folder: NodeRow | undefined;
}

export interface RecentFilter {
  readonly kinds: ReadonlySet<RecentKind>;
  /** Undefined for files of any kind. */
  readonly categories: ReadonlySet<FileCategory> | undefined;
  /** True for videos and long recordings that can be resumed. */
  readonly unfinished: boolean;
}

/** Latest events of members' files: the protocol's events, and those that it doesn't have. */
export interface Recents {
  /**
   * Records what happened to nodes of an account, in the transaction that did it. A file has one row for each kind; of
   * a thousand nodes only the first hundred are recorded.
   */
  noted(tx: Tx, account: string, kind: NotedKind, nodes: readonly string[]): Promise<void>;
  /**
   * Records an opened file of the account soon, unless the member doesn't want that; repetitions within minutes are
   * ignored. Errors are only logged.
   */
  opened(account: string, file: string): void;
  /** Writes what was opened. */
  flush(): Promise<void>;
  /** The same, but an error is only logged: what follows works even if nothing can be written. */
  settle(): Promise<void>;
  /** Returns each live file once, newest first. A filtered page may be shorter although more follow. */
  page(
    account: string,
    filter: RecentFilter,
    page: { limit: number; place: KeysetPosition | undefined },
  ): Promise<{ files: RecentFile[]; next: KeysetPosition | undefined }>;
  positions(account: string, files: readonly string[]): Promise<RecentRow[]>;
  /** Removes events of files. Returns an id with which this can be undone for a day. */
  remove(account: string, kinds: ReadonlySet<RecentKind>, files: readonly string[]): Promise<string>;
  /** Puts removed events back; throws if they are no longer kept. */
  restore(account: string, removal: string): Promise<void>;
  clear(account: string, kinds: ReadonlySet<RecentKind>): Promise<void>;
  forgetOld(signal: AbortSignal): Promise<void>;
}

interface Opened {
  readonly account: string;
  readonly file: string;
  readonly at: number;
}

export const EVERY_KIND: ReadonlySet<RecentKind> = new Set(RECENT_KINDS);

const MOST_AT_ONCE = 100;
/** Rows kept of an account beside the protocol's events. */
const KEPT = 2000;
const KEPT_MS = 365 * 24 * 3600 * 1000;
const REMOVALS_KEPT_MS = 24 * 3600 * 1000;
const REOPENED_MS = 5 * 60 * 1000;
const FLUSH_MS = 2000;
/** Maximum number of files remembered as opened lately; when exceeded they are forgotten. */
const LATELY_MOST = 20_000;
/** Rows read at once for a filtered page, and the maximum for one request. */
const FILTERED_AT_ONCE = 500;
const FILTERED_AT_MOST = 5000;

export function createRecents({
  database,
  store,
  removals,
  nodes,
  clock,
  ids,
  log,
  remembersOpened,
}: {
  database: Database;
  store: RecentStore;
  removals: RecentRemovalStore;
  nodes: Nodes;
  clock: Clock;
  ids: Ids;
  log: Log;
  remembersOpened: (account: string) => Promise<boolean>;
}): Recents {
  /** Files that were opened lately, by account and id, with the time. */
  const lately = new Map<string, number>();
  const failed = (error: unknown): void => log.warn({ err: error }, 'could not record opened files');
  const buffer = createWriteBuffer<Opened>({
    everyMs: FLUSH_MS,
    sum: (_, later) => later,
    write: (opened) => writeOpened([...opened.values()]),
    failed,
  });

  async function writeOpened(opened: readonly Opened[]): Promise<void> {
    for (const account of new Set(opened.map((one) => one.account))) {
      if (!(await remembersOpened(account))) continue;
      const rows = opened
        .filter((one) => one.account === account)
        .map(({ file, at }) => ({ id: ids.next(), kind: 'opened' as const, node: file, at }));
      await database.transaction(async (tx) => {
        await store.note(tx, account, rows, clock.now() - REOPENED_MS);
        await store.trim(tx, account, KEPT);
      });
    }
  }

  const rowsOf = (kind: NotedKind, found: readonly string[]) =>
    found.slice(0, MOST_AT_ONCE).map((node) => ({ id: ids.next(), kind, node, at: clock.now() }));

  /** Keeps the rows of live files that pass the filter and are the latest of their file. */
  async function latestOf(
    account: string,
    rows: readonly RecentRow[],
    { kinds, categories, unfinished }: RecentFilter,
  ): Promise<{ event: RecentRow; node: NodeRow }[]> {
    let passing = rows;
    if (categories || unfinished) {
      // Names are read first: for the few files that pass, looking up their folders costs much less.
      const names = await store.names(database, nodesOf(rows));
      passing = rows.filter((event) => {
        const named = names.get(event.node);
        const category = named && kindOf(named);
        if (!category || (categories && !categories.has(category))) return false;
        return !unfinished || isUnfinished(category, event);
      });
    }
    if (passing.length === 0) return [];
    const live = await nodes.findMany(database, account, nodesOf(passing));
    const newest = await store.newest(
      database,
      live.map(({ id }) => id),
      kinds,
    );
    const byId = new Map(live.map((node) => [node.id, node]));
    return passing.flatMap((event) => {
      const node = byId.get(event.node);
      return node && newest.get(node.id) === event.id ? [{ event, node }] : [];
    });
  }

  /** Files that were removed from Recent are recorded when they are opened again, however soon. */
  function forgetOpened(account: string, files?: readonly string[]): void {
    const keys = files?.map((file) => keyOf(account, file)) ?? [...lately.keys()];
    for (const key of keys) if (files || key.startsWith(keyOf(account, ''))) lately.delete(key);
  }

  const recents: Recents = {
    async noted(tx, account, kind, found) {
      await store.note(tx, account, rowsOf(kind, found), clock.now());
    },

    opened(account, file) {
      const key = keyOf(account, file);
      const now = clock.now();
      if ((lately.get(key) ?? -Infinity) > now - REOPENED_MS) return;
      if (lately.size >= LATELY_MOST) lately.clear();
      lately.set(key, now);
      buffer.add(key, { account, file, at: now });
    },

    flush: buffer.flush,
    settle: () => buffer.flush().catch(failed),

    async page(account, filter, { limit, place }) {
      if (place === undefined) await recents.settle();
      const isFiltered = filter.categories !== undefined || filter.unfinished;
      const atOnce = isFiltered ? Math.max(FILTERED_AT_ONCE, limit + 1) : limit + 1;
      const found: { event: RecentRow; node: NodeRow }[] = [];
      let from = place;
      for (let read = 0; ;) {
        const rows = await store.read(database, {
          account,
          kinds: filter.kinds,
          place: from,
          limit: atOnce,
        });
        found.push(...(await latestOf(account, rows, filter)));
        read += rows.length;
        const last = rows.at(-1);
        from = rows.length < atOnce || !last ? undefined : placeOf(last);
        if (found.length > limit || from === undefined || read >= FILTERED_AT_MOST) break;
        await yieldToEventLoop();
      }
      const shown = found.slice(0, limit);
      const next = found.length > limit ? placeOf(shown.at(-1)!.event) : from;
      const folders = await nodes.findMany(database, account, [
        ...new Set(shown.map(({ node }) => node.parent).filter((parent) => parent !== account)),
      ]);
      const folderOf = new Map(folders.map((folder) => [folder.id, folder]));
      return {
        files: shown.map(({ event, node }) => ({ event, node, folder: folderOf.get(node.parent) })),
        next,
      };
    },

    positions: (account, files) => store.plays(database, account, files),

    async remove(account, kinds, files) {
      const id = ids.next();
      await database.transaction((tx) =>
        removals.remove(tx, account, { id, at: clock.now(), kinds, nodes: files }),
      );
      forgetOpened(account, files);
      return id;
    },

    async restore(account, removal) {
      const isBack = await database.transaction((tx) => removals.restore(tx, account, removal));
      if (!isBack) throw new ApiFailure('not_found');
    },

    async clear(account, kinds) {
      await database.transaction((tx) => store.clear(tx, account, kinds));
      forgetOpened(account);
    },

    async forgetOld(signal) {
      while (await database.transaction((tx) => store.forget(tx, clock.now() - KEPT_MS))) {
        signal.throwIfAborted();
        await yieldToEventLoop();
      }
      await database.transaction((tx) => removals.forget(tx, clock.now() - REMOVALS_KEPT_MS));
      for (;;) {
        const accounts = await store.crowded(database, KEPT, MOST_AT_ONCE);
        for (const account of accounts) {
          signal.throwIfAborted();
          await database.transaction((tx) => store.trim(tx, account, KEPT));
        }
        if (accounts.length < MOST_AT_ONCE) return;
      }
    },
  };
  return recents;
}

const placeOf = ({ at, id }: RecentRow): KeysetPosition => [at, id];

const keyOf = (account: string, file: string): string => `${account} ${file}`;

const nodesOf = (rows: readonly RecentRow[]): string[] => [...new Set(rows.map(({ node }) => node))];

const kindOf = ({ kind, name }: Pick<NodeRow, 'kind' | 'name'>): FileCategory =>
  kind === FOLDER ? 'folder' : categoryOf(name);

function isUnfinished(category: FileCategory, { play }: RecentRow): boolean {
  if (!play || (category !== 'video' && category !== 'audio')) return false;
  if (category === 'audio' && play.duration < RESUME.audioSeconds) return false;
  const part = playedPart(play);
  return part > 0 && part < 1;
}
