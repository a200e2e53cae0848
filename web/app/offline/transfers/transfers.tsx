import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { Plus } from 'lucide-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useNavigate, useSearchParams } from 'react-router';
import type { Task } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { useT } from '#app/i18n/t.ts';
import { SelectionBar } from '#app/node/index.ts';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import { useOffline } from '../offline-frame.ts';
import { TellMe } from './tell-me.tsx';
import { PasteBox } from './paste-box.tsx';
import { BulkMenu, bulkActions } from './transfer-bulk.tsx';
import { TransferCard } from './transfer-card.tsx';
import {
  allOf,
  countsQuery,
  everyTask,
  listQuery,
  TABS,
  type Counts,
  type Tab,
  type TaskPage,
} from './transfer-cache.ts';
import { transferOf } from './transfer-facts.ts';
import { useMarked } from './use-marked.ts';
import { useNearEnd } from './use-near-end.ts';
import { usePageKeys } from './use-page-keys.ts';
import { useConfirmedTransferActions } from './use-confirmed-transfer-actions.tsx';

const CARD = 96;
const GAP = 8;

export interface TransfersProps {
  /** Data that the server rendered the page with. */
  readonly first: { readonly tab: Tab; readonly page: TaskPage; readonly counts: Counts } | undefined;
  readonly onFreeSpace: () => void;
}

const tabNamed = (name: string | null): Tab => TABS.find((tab) => tab === name) ?? 'running';

/** Running, finished and failed downloads. */
export function Transfers({ first, onFreeSpace }: TransfersProps) {
  const t = useT();
  const call = useCall();
  const text = useErrorText();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const tab = tabNamed(query.get('tab'));
  const { addLinks } = useOffline();
  const list = useInfiniteQuery({
    ...listQuery(call, tab),
    ...(first?.tab === tab ? { initialData: { pages: [first.page], pageParams: [''] } } : {}),
  });
  const { data: counts } = useQuery({
    ...countsQuery(call),
    ...(first ? { initialData: first.counts } : {}),
  });
  const tasks = useMemo(() => allOf(list.data), [list.data]);
  const [picked, setPicked] = useState<ReadonlyMap<string, Task>>(new Map());
  const [isSelecting, setSelecting] = useState(false);
  const clear = (): void => {
    setPicked(new Map());
    setSelecting(false);
  };
  const { actions, questions } = useConfirmedTransferActions(onFreeSpace, clear);
  const { marked, seek } = useMarked(tasks, tab);

  const goToTab = (next: Tab): void => {
    clear();
    void navigate(
      { search: next === 'running' ? '' : `?tab=${next}` },
      { replace: true, preventScrollReset: true },
    );
  };
  const current = new Map(tasks.map((task) => [task.id, task]));
  const selected = [...picked.values()].map((task) => current.get(task.id) ?? task);
  const selectAll = (): void => {
    if (!list.hasNextPage) return setPicked(current);
    void everyTask(call, tab).then(
      (all) => setPicked(new Map(all.map((task) => [task.id, task]))),
      (error: unknown) => toast.show({ text: text(error), tone: 'danger' }),
    );
    return undefined;
  };
  usePageKeys({ selectAll, clear });

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <div className="flex items-center gap-2 border-b border-line pr-5 pl-4 max-md:px-1">
        <div className="min-w-0 flex-1">
          <Tabs
            label={t('transfers.title')}
            selected={tab}
            onSelect={goToTab}
            className="border-b-0"
            tabs={TABS.map((id) => ({
              id,
              label: t(`transfers.tab.${id}`),
              ...(counts ? { count: counts[id] } : {}),
            }))}
          />
        </div>
        <BulkMenu
          tab={tab}
          isEmpty={tasks.length === 0}
          actions={actions}
          onSelect={() => setSelecting(true)}
        />
      </div>
      <TellMe isWaiting={(counts?.running ?? 0) > 0} />
      <div
        role="tabpanel"
        aria-label={t(`transfers.tab.${tab}`)}
        className="relative flex min-h-0 flex-1 flex-col"
      >
        {list.isError && tasks.length === 0 ? (
          <EmptyState
            title={t('drive.failed.title')}
            text={text(list.error)}
            actions={<Button onClick={() => void list.refetch()}>{t('ui.retry')}</Button>}
          />
        ) : list.data === undefined ? (
          <div className="grid gap-2 p-6 max-md:p-3">
            {[0, 1, 2].map((row) => (
              <Skeleton key={row} className="h-22" />
            ))}
          </div>
        ) : tasks.length === 0 ? (
          <div className="overflow-y-auto px-6 max-md:px-4">
            {tab === 'running' ? (
              <PasteBox />
            ) : (
              <EmptyState title={t(`transfers.none.${tab}`)} text={t(`transfers.noneText.${tab}`)} />
            )}
          </div>
        ) : (
          <Cards
            key={tab}
            tasks={tasks}
            seek={seek}
            onEnd={() => {
              if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage();
            }}
            card={(task, unfolding) => (
              <TransferCard
                task={task}
                transfer={transferOf(task, list.dataUpdatedAt)}
                actions={actions}
                {...unfolding}
                isMarked={marked.has(task.id)}
                isSelected={picked.has(task.id)}
                isSelecting={isSelecting || picked.size > 0}
                onSelect={(isSelected) => {
                  const next = new Map(picked);
                  if (isSelected) next.set(task.id, task);
                  else next.delete(task.id);
                  setPicked(next);
                }}
              />
            )}
          />
        )}
        <SelectionBar
          over="list"
          total={counts?.[tab]}
          selecting={{
            count: picked.size,
            amount: undefined,
            isActive: isSelecting || picked.size > 0,
            clear,
            selectAll,
          }}
          actions={bulkActions(t, tab, selected, actions)}
        />
      </div>
      {/* Above the thumb, on phones. */}
      {!(isSelecting || picked.size > 0) && !(tab === 'running' && tasks.length === 0) && (
        <Button
          variant="primary"
          aria-label={t('offline.add.title')}
          onClick={() => addLinks()}
          className="fixed! right-4 bottom-[calc(max(20px,env(safe-area-inset-bottom))+var(--tray,0px))] z-20 size-14! rounded-full! p-0! shadow-float md:hidden!"
          icon={<Plus className="size-6" />}
        />
      )}
      {questions}
    </div>
  );
}

interface Unfolding {
  readonly isUnfolded: boolean;
  readonly onUnfold: () => void;
}

/** Cards of a tab; only those near the screen are rendered. */
function Cards({
  tasks,
  seek,
  onEnd,
  card,
}: {
  tasks: readonly Task[];
  /** Task to scroll to. */
  seek: string | undefined;
  onEnd: () => void;
  card: (task: Task, unfolding: Unfolding) => React.ReactNode;
}) {
  const t = useT();
  const box = useRef<HTMLDivElement>(null);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const list = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => box.current,
    estimateSize: () => CARD,
    getItemKey: (index) => tasks[index]!.id,
    gap: GAP,
    overscan: 4,
  });
  const shown = list.getVirtualItems();
  useNearEnd(shown.at(-1)?.index, tasks.length, onEnd);
  const place = seek === undefined ? -1 : tasks.findIndex(({ id }) => id === seek);
  const bring = useEffectEvent(() => list.scrollToIndex(place, { align: 'center' }));
  useEffect(() => {
    if (place >= 0) bring();
  }, [place]);
  return (
    <div
      ref={box}
      role="list"
      aria-label={t('transfers.title')}
      className="min-h-0 flex-1 overflow-y-auto px-6 pt-4 pb-[calc(24px+var(--bar,0px))] max-md:px-3 max-md:pb-[calc(96px+var(--bar,0px))] max-md:pt-3"
    >
      <div role="presentation" className="relative" style={{ height: list.getTotalSize() }}>
        {shown.map(({ index, start, key }) => {
          const task = tasks[index]!;
          const isUnfolded = unfolded.has(task.id);
          return (
            <div
              key={key}
              ref={list.measureElement}
              data-index={index}
              role="listitem"
              className="absolute inset-x-0 top-0"
              style={{ transform: `translateY(${start}px)` }}
            >
              {card(task, {
                isUnfolded,
                onUnfold: () => {
                  const next = new Set(unfolded);
                  if (isUnfolded) next.delete(task.id);
                  else next.add(task.id);
                  setUnfolded(next);
                },
              })}
            </div>
          );
        })}
      </div>
    </div>
  );
}
