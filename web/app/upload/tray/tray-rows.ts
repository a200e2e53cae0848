import {
  createUploadSum,
  type UploadItem,
  type UploadState,
  type UploadSum,
  type UploadTotals,
} from '../upload-item.ts';

/** Folder of an upload, with everything below it. */
export interface UploadGroup {
  readonly key: string;
  /** Names of the folders that the row stands for: several if each contains nothing but the next one. */
  readonly path: readonly string[];
  readonly state: UploadState;
  readonly totals: UploadTotals;
  /** A failed upload with the most frequent reason, if there are any. */
  readonly failure: UploadItem | undefined;
  /** Folder in which it is created, and its own id once it is known. */
  readonly targetId: string;
  /** Returns the uploads below it that are in one of the states. */
  idsIn(...states: UploadState[]): number[];
}

/** Row of the tray: a file, or a folder. `depth` is the number of opened folders above it. */
export type TrayRow =
  | { readonly kind: 'file'; readonly key: string; readonly item: UploadItem; readonly depth: number }
  | {
      readonly kind: 'folder';
      readonly key: string;
      readonly group: UploadGroup;
      readonly isOpen: boolean;
      readonly depth: number;
    };

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

/** Folder being put together. */
interface Branch {
  readonly key: string;
  readonly name: string;
  readonly targetId: string;
  readonly branches: Map<string, Branch>;
  readonly files: UploadItem[];
  readonly sum: UploadSum;
  readonly states: Set<UploadState>;
  /** Failed uploads by reason: one of them, and their number. */
  readonly failures: Map<string, { readonly item: UploadItem; count: number }>;
  lastId: number;
}

function branchIn(branches: Map<string, Branch>, key: string, name: string, targetId: string): Branch {
  let branch = branches.get(key);
  if (branch) return branch;
  branch = {
    key,
    name,
    targetId,
    branches: new Map(),
    files: [],
    sum: createUploadSum(),
    states: new Set(),
    failures: new Map(),
    lastId: 0,
  };
  branches.set(key, branch);
  return branch;
}

function count(branch: Branch, item: UploadItem): void {
  branch.sum.add(item);
  branch.states.add(item.state);
  branch.lastId = item.id;
  if (item.state !== 'failed') return;
  const reason = item.errorText ?? item.error ?? '';
  const known = branch.failures.get(reason);
  if (known) known.count += 1;
  else branch.failures.set(reason, { item, count: 1 });
}

const STATES = ['queued', 'paused', 'failed', 'waiting', 'done', 'skipped'] as const;

function stateOf({ states }: Branch): UploadState {
  if (states.has('uploading') || states.has('preparing') || states.has('finishing')) return 'uploading';
  return STATES.find((state) => states.has(state)) ?? 'cancelled';
}

function idsBelow(branch: Branch, states: ReadonlySet<UploadState>): number[] {
  return [
    ...branch.files.filter(({ state }) => states.has(state)).map(({ id }) => id),
    ...[...branch.branches.values()].flatMap((inner) => idsBelow(inner, states)),
  ];
}

/** Returns the rows of files and folders in one place, and of those within opened folders. */
function rowsIn(
  files: readonly UploadItem[],
  branches: Iterable<Branch>,
  opened: ReadonlySet<string>,
  depth: number,
): TrayRow[] {
  const rows = [
    ...files.map((item) => ({
      state: item.state,
      lastId: item.id,
      rows: (): TrayRow[] => [{ kind: 'file', key: `file ${item.id}`, item, depth }],
    })),
    ...Array.from(branches, (branch) => ({
      state: stateOf(branch),
      lastId: branch.lastId,
      rows: () => rowsOf(branch, opened, depth),
    })),
  ];
  return rows.toSorted(byRank).flatMap((row) => row.rows());
}

function rowsOf(top: Branch, opened: ReadonlySet<string>, depth: number): TrayRow[] {
  const path = [top.name];
  let branch = top;
  while (branch.files.length === 0 && branch.branches.size === 1) {
    branch = branch.branches.values().next().value!;
    path.push(branch.name);
  }
  const { key, files, branches, failures, targetId } = branch;
  const isOpen = opened.has(key);
  const [failure] = [...failures.values()].toSorted((a, b) => b.count - a.count);
  const group: UploadGroup = {
    key,
    path,
    targetId,
    state: stateOf(branch),
    totals: branch.sum.read(),
    failure: failure?.item,
    idsIn: (...states) => idsBelow(branch, new Set(states)),
  };
  const row: TrayRow = { kind: 'folder', key, group, isOpen, depth };
  return isOpen ? [row, ...rowsIn(files, branches.values(), opened, depth + 1)] : [row];
}

/**
 * Returns the rows of the tray: a folder is one row, followed by what it contains if it is opened. The keys of opened
 * folders are in `opened`.
 */
export function trayRows(items: readonly UploadItem[], opened: ReadonlySet<string>): TrayRow[] {
  const alone: UploadItem[] = [];
  const tops = new Map<string, Branch>();
  for (const item of items) {
    const { folders, batch, targetId } = item;
    if (folders.length === 0) {
      alone.push(item);
      continue;
    }
    let branches = tops;
    let key = `${batch} ${targetId}`;
    let branch: Branch | undefined;
    for (const name of folders) {
      // Names contain no slashes.
      key += `/${name}`;
      branch = branchIn(branches, key, name, targetId);
      count(branch, item);
      ({ branches } = branch);
    }
    branch!.files.push(item);
  }
  return rowsIn(alone, tops.values(), opened, 0);
}
