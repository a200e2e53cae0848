import type { InfiniteData, QueryClient } from '@tanstack/react-query';
import { taskApi, type ApiCall, type ReplyOf, type Task } from '@bowerbird/contract';

/** Tabs of the page. */
export const TABS = ['running', 'finished', 'failed'] as const;
export type Tab = (typeof TABS)[number];

export const PHASES_OF: Readonly<Record<Tab, readonly Task['phase'][]>> = {
  running: ['PHASE_TYPE_PENDING', 'PHASE_TYPE_RUNNING', 'PHASE_TYPE_PAUSED'],
  finished: ['PHASE_TYPE_COMPLETE'],
  failed: ['PHASE_TYPE_ERROR'],
};

export const tabOf = (phase: Task['phase']): Tab =>
  TABS.find((tab) => PHASES_OF[tab].includes(phase)) ?? 'running';

/** Tab in which to show several tasks: that of a running one, or else the one with most of them. */
export function tabFor(tabs: readonly Tab[]): Tab | undefined {
  if (tabs.includes('running')) return 'running';
  const failed = tabs.filter((tab) => tab === 'failed').length;
  if (tabs.length === 0) return undefined;
  return failed * 2 >= tabs.length ? 'failed' : 'finished';
}

export type TaskPage = ReplyOf<typeof taskApi.list>;
export type Tasks = InfiniteData<TaskPage, string>;
export type Counts = Readonly<Record<Tab, number>>;

/** Key prefix of everything of this domain in the cache. */
export const TRANSFERS = ['transfers'] as const;
const COUNTS = [...TRANSFERS, 'counts'];
const PAGE = 200;

const keyOf = (tab: Tab): readonly string[] => [...TRANSFERS, 'list', tab];

/** Tasks that were cancelled or deleted here: responses already in flight must not restore them. */
const gone = new Set<string>();

export const withoutGone = (tasks: readonly Task[]): Task[] => tasks.filter(({ id }) => !gone.has(id));

export const allOf = (data: { readonly pages: readonly TaskPage[] } | undefined): Task[] =>
  withoutGone(data?.pages.flatMap(({ tasks }) => tasks) ?? []);

export function loadPage(
  call: ApiCall,
  tab: Tab,
  token: string,
  signal?: AbortSignal,
  limit = PAGE,
): Promise<TaskPage> {
  return call(
    taskApi.list,
    {
      query: {
        type: 'offline',
        limit,
        page_token: token,
        filters: JSON.stringify({ phase: { in: PHASES_OF[tab].join(',') } }),
        with: 'reference_resource',
      },
    },
    signal ? { signal } : {},
  );
}

export function listQuery(call: ApiCall, tab: Tab) {
  return {
    queryKey: keyOf(tab),
    queryFn: ({ pageParam, signal }: { pageParam: string; signal: AbortSignal }) =>
      loadPage(call, tab, pageParam, signal),
    initialPageParam: '',
    getNextPageParam: (page: TaskPage) => page.next_page_token || undefined,
    staleTime: 1000,
  };
}

export async function loadCounts(call: ApiCall): Promise<Counts> {
  const { counts } = await call(taskApi.count, { query: { type: 'offline' } });
  const sum = (tab: Tab): number => PHASES_OF[tab].reduce((all, phase) => all + (counts[phase] ?? 0), 0);
  return { running: sum('running'), finished: sum('finished'), failed: sum('failed') };
}

export function countsQuery(call: ApiCall) {
  return { queryKey: COUNTS, queryFn: () => loadCounts(call), staleTime: 1000 };
}

/** Loads every task of a tab, however many pages that takes. */
export async function everyTask(call: ApiCall, tab: Tab): Promise<Task[]> {
  const tasks: Task[] = [];
  for (let token = ''; ;) {
    const page = await loadPage(call, tab, token, undefined, 1000);
    tasks.push(...page.tasks);
    token = page.next_page_token;
    if (token === '') return withoutGone(tasks);
  }
}

/** Shows a change before the server has confirmed it; the server's response then replaces it. */
export async function changeShown(
  client: QueryClient,
  ids: ReadonlySet<string>,
  change: (task: Task) => Task,
): Promise<void> {
  await client.cancelQueries({ queryKey: [...TRANSFERS, 'list'] });
  for (const tab of TABS)
    client.setQueryData<Tasks>(
      keyOf(tab),
      (data) =>
        data && {
          ...data,
          pages: data.pages.map((page) => ({
            ...page,
            tasks: page.tasks.map((task) => (ids.has(task.id) ? change(task) : task)),
          })),
        },
    );
}

/** Removes tasks from the lists at once. Returns a function that restores them. */
export function hideShown(client: QueryClient, tasks: readonly { id: string; tab: Tab }[]): () => void {
  const touch = (): void => {
    for (const tab of TABS) client.setQueryData<Tasks>(keyOf(tab), (data) => data && { ...data });
  };
  for (const { id } of tasks) gone.add(id);
  client.setQueryData<Counts>(COUNTS, (counts) => {
    if (!counts) return counts;
    const left = { ...counts };
    for (const { tab } of tasks) left[tab] = Math.max(0, left[tab] - 1);
    return left;
  });
  touch();
  return () => {
    for (const { id } of tasks) gone.delete(id);
    touch();
  };
}

export const isGone = (id: string): boolean => gone.has(id);
