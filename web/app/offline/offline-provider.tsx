import { lazy, Suspense, useCallback, useMemo, useState, type ReactNode } from 'react';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { Task } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { OfflineFrame, type AddRequest, type Offline } from './offline-frame.ts';
import { allOf, listQuery, type TaskPage } from './transfers/transfer-cache.ts';
import { useEndings } from './transfers/use-endings.ts';

const AddDialog = lazy(() =>
  import('./adding/add-dialog.tsx').then(({ AddDialog }) => ({ default: AddDialog })),
);

const IDLE_MS = 30_000;
const HIDDEN_MS = 20_000;

/** Returns true on the server as well: nobody sees the page then. */
const isHidden = (): boolean => typeof document === 'undefined' || document.visibilityState === 'hidden';

/**
 * Returns the interval until the next poll: a second while running transfers are watched, long if none are
 * running.
 */
export function nextLook(
  pages: readonly Pick<TaskPage, 'tasks' | 'expires_in_ms'>[],
  { isClose, isHidden }: { isClose: boolean; isHidden: boolean },
): number | false {
  const has = (phase: Task['phase']): boolean =>
    pages.some(({ tasks }) => tasks.some((task) => task.phase === phase));
  const [moves, waits] = [has('PHASE_TYPE_RUNNING'), has('PHASE_TYPE_PENDING')];
  const hint = Math.max(1000, pages[0]?.expires_in_ms ?? 0);
  if (isHidden) return moves || waits ? HIDDEN_MS : false;
  if (moves) return isClose ? 1000 * Math.max(1, pages.length) : Math.max(2000, hint);
  if (waits) return isClose ? 2000 : Math.max(5000, hint);
  return isClose ? Math.max(5000, hint) : IDLE_MS;
}

/**
 * Provider around the drive: knows the running downloads on every page, reports when they end, and opens the
 * dialog for links.
 */
export function OfflineProvider({ onArrived, children }: { onArrived: () => void; children: ReactNode }) {
  const call = useCall();
  const [watchers, setWatchers] = useState(0);
  const [request, setRequest] = useState<AddRequest>();
  const isClose = watchers > 0;
  const { data } = useInfiniteQuery({
    ...listQuery(call, 'running'),
    refetchInterval: ({ state }) => nextLook(state.data?.pages ?? [], { isClose, isHidden: isHidden() }),
    refetchIntervalInBackground: true,
  });
  const tasks = useMemo(() => allOf(data), [data]);
  useEndings(data === undefined ? undefined : tasks, onArrived);

  const watchClosely = useCallback(() => {
    setWatchers((before) => before + 1);
    return () => setWatchers((before) => before - 1);
  }, []);
  const offline = useMemo<Offline>(
    () => ({ addLinks: (wanted = {}) => setRequest(wanted), running: tasks.length, watchClosely }),
    [tasks.length, watchClosely],
  );
  return (
    <OfflineFrame value={offline}>
      {children}
      <Suspense>{request && <AddDialog request={request} onClose={() => setRequest(undefined)} />}</Suspense>
    </OfflineFrame>
  );
}
