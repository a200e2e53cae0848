import type { Blobs } from '../drive/index.ts';
import type { Database } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { TaskRow } from '../task/index.ts';
import { provisionalName, shownLink } from './link.ts';
import { dayOf, isWanted, type SourceFileRow } from './offline.ts';
import type { SourceFileStore } from './source-file-store.ts';
import type { SourceStore } from './source-store.ts';
import type { FetchRequestStore } from './fetch-request-store.ts';

/** Reads the state of sources and tasks, file by file. */
export interface Statuses {
  /** Returns files of a source after a position, in its order. */
  page(source: string, after: number, limit: number): Promise<SourceFileRow[]>;
  /** Returns the positions of files whose content is in the account's drive already. */
  owned(account: string, files: readonly SourceFileRow[]): Promise<Set<number>>;
  /** Returns the link of a source for display, and its provisional name. */
  link(source: string): Promise<{ url: string; name: string }>;
  today(account: string): Promise<{ tasks: number; bytes: number }>;
  ofTask(
    task: TaskRow,
    page: { after: number; limit: number; onlyFailed: boolean },
  ): Promise<{
    rows: { file: SourceFileRow; node: string | undefined }[];
    next: number | undefined;
    total: number;
    failed: number;
    complete: number;
  }>;
}

export function createStatuses({
  database,
  store,
  fileStore,
  requestStore,
  blobs,
  clock,
}: {
  database: Database;
  store: SourceStore;
  fileStore: SourceFileStore;
  requestStore: FetchRequestStore;
  blobs: Blobs;
  clock: Clock;
}): Statuses {
  return {
    page: (source, after, limit) => fileStore.after(database, source, after, limit),

    async owned(account, files) {
      const hashes = files.flatMap(({ hash }) => (hash === undefined ? [] : [hash]));
      const known = await blobs.owned(database, account, hashes);
      return new Set(
        files.flatMap(({ position, hash }) => (hash !== undefined && known.has(hash) ? [position] : [])),
      );
    },

    async link(source) {
      const spec = await store.spec(database, source);
      return spec ? { url: shownLink(spec), name: provisionalName(spec) } : { url: '', name: '' };
    },

    today: (account) => requestStore.day(database, account, dayOf(clock.now())),

    async ofTask(task, { after, limit, onlyFailed }) {
      const request = await requestStore.find(database, task.id);
      if (!request) return { rows: [], next: undefined, total: 0, failed: 0, complete: 0 };
      const delivered = await requestStore.delivered(database, task.id);
      const states = (await requestStore.states(database, request.source)).filter(({ position }) =>
        isWanted(request, position),
      );
      const isFailed = ({ position, state }: (typeof states)[number]): boolean =>
        state === 'failed' && !delivered.has(position);
      const positions = (onlyFailed ? states.filter(isFailed) : states)
        .map(({ position }) => position)
        .filter((position) => position > after);
      const shown = positions.slice(0, limit);
      const files = await fileStore.at(database, request.source, shown);
      return {
        rows: files.map((file) => ({ file, node: delivered.get(file.position) })),
        next: positions.length > limit ? shown.at(-1) : undefined,
        total: states.length,
        failed: states.filter(isFailed).length,
        complete: delivered.size,
      };
    },
  };
}
