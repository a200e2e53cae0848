import { isActive, totalsOf, type UploadItem, type UploadState, type UploadTotals } from './upload-item.ts';

/** Folder uploaded as a whole, as one row. */
export interface UploadGroup {
  readonly key: string;
  readonly name: string;
  readonly items: readonly UploadItem[];
  readonly state: UploadState;
  readonly totals: UploadTotals;
}

/** Row of the tray: a file, alone or in the expanded folder above it, or a folder. */
export type TrayRow =
  | { readonly kind: 'file'; readonly key: string; readonly item: UploadItem; readonly isWithin: boolean }
  | { readonly kind: 'folder'; readonly key: string; readonly group: UploadGroup; readonly isOpen: boolean };

/** Order of the rows: running, needing attention, waiting, ended. */
const RANKS: Readonly<Record<UploadState, number>> = {
  finishing: 0,
  uploading: 0,
  preparing: 0,
  failed: 1,
  waiting: 1,
  paused: 2,
  queued: 3,
  done: 4,
  skipped: 5,
  cancelled: 5,
};
const OVER = RANKS.done;

interface Ranked {
  readonly state: UploadState;
  readonly lastId: number;
}

/** Among ended uploads the latest comes first; all others keep their order. */
function byRank(a: Ranked, b: Ranked): number {
  const [x, y] = [RANKS[a.state], RANKS[b.state]];
  if (x !== y) return x - y;
  return x >= OVER ? b.lastId - a.lastId : a.lastId - b.lastId;
}

function stateOf(items: readonly UploadItem[]): UploadState {
  const states = new Set(items.map(({ state }) => state));
  if (items.some(({ state }) => isActive(state))) return 'uploading';
  const order = ['queued', 'paused', 'failed', 'waiting', 'done', 'skipped'] as const;
  return order.find((state) => states.has(state)) ?? 'cancelled';
}

const fileRow = (item: UploadItem, isWithin: boolean) =>
  ({ kind: 'file', key: `file ${item.id}`, item, isWithin }) as const;

const ranked = (items: readonly UploadItem[]): UploadItem[] =>
  items.toSorted((a, b) => byRank({ state: a.state, lastId: a.id }, { state: b.state, lastId: b.id }));

/** Returns the rows of the tray: a folder is one row, followed by its files if it is expanded. */
export function trayRows(items: readonly UploadItem[], opened: ReadonlySet<string>): TrayRow[] {
  const alone = items.filter(({ folders }) => folders.length === 0);
  const inFolders = Map.groupBy(
    items.filter(({ folders }) => folders.length > 0),
    ({ batch, targetId, folders }) => JSON.stringify([batch, targetId, folders[0]]),
  );
  const groups = Array.from(inFolders, ([key, within]): UploadGroup & Ranked => ({
    key,
    name: within[0]!.folders[0]!,
    items: within,
    state: stateOf(within),
    totals: totalsOf(within),
    lastId: within.at(-1)!.id,
  }));
  const tops = [
    ...alone.map((item) => ({
      state: item.state,
      lastId: item.id,
      rows: [fileRow(item, false)] as TrayRow[],
    })),
    ...groups.map((group) => {
      const isOpen = opened.has(group.key);
      const row: TrayRow = { kind: 'folder', key: group.key, group, isOpen };
      const within = isOpen ? ranked(group.items).map((item) => fileRow(item, true)) : [];
      return { state: group.state, lastId: group.lastId, rows: [row, ...within] };
    }),
  ];
  return tops.toSorted(byRank).flatMap(({ rows }) => rows);
}
