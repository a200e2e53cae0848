import type { Blobs } from '../drive/index.ts';
import type { Database } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { TaskRow } from '../task/index.ts';
import { provisionalName, shownLink } from './link.ts';
import { dayOf, isWanted, type SourceFileRow } from './offline.ts';
import type { SourceStore } from './source-store.ts';
import type { WishStore } from './wish-store.ts';

/** What there is to see of sources and tasks, file by file. */
export interface Statuses {
  /** Files of a source after a position, in its order. */
  page(source: string, after: number, limit: number): Promise<SourceFileRow[]>;
  /** Positions of those whose content lies in the account's drive already. */
  owned(account: string, files: readonly SourceFileRow[]): Promise<Set<number>>;
  /** The link under which a source is fetched, and what it is called before it was looked at. */
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
  wishStore,
  blobs,
  clock,
}: {
  database: Database;
  store: SourceStore;
  wishStore: WishStore;
  blobs: Blobs;
  clock: Clock;
}): Statuses {
  return {
    page: (source, after, limit) => store.filesAfter(database, source, after, limit),

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

    today: (account) => wishStore.day(database, account, dayOf(clock.now())),

    async ofTask(task, { after, limit, onlyFailed }) {
      const wish = await wishStore.find(database, task.id);
      if (!wish) return { rows: [], next: undefined, total: 0, failed: 0, complete: 0 };
      const delivered = await wishStore.delivered(database, task.id);
      const states = (await wishStore.states(database, wish.source)).filter(({ position }) =>
        isWanted(wish, position),
      );
      const isFailed = ({ position, state }: (typeof states)[number]): boolean =>
        state === 'failed' && !delivered.has(position);
      const positions = (onlyFailed ? states.filter(isFailed) : states)
        .map(({ position }) => position)
        .filter((position) => position > after);
      const shown = positions.slice(0, limit);
      const files = await store.filesAt(database, wish.source, shown);
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
