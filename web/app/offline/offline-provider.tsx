import { lazy, Suspense, useEffect, useMemo, useState, type ReactNode } from 'react';
import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCall } from '#app/api/client.ts';
import { useLive } from '#app/api/live/use-live.ts';
import { OfflineFrame, type AddRequest, type Offline } from './offline-frame.ts';
import { allOf, listQuery, TRANSFERS } from './transfers/transfer-cache.ts';
import { useEndings } from './transfers/use-endings.ts';

const AddDialog = lazy(() =>
  import('./adding/add-dialog.tsx').then(({ AddDialog }) => ({ default: AddDialog })),
);

/**
 * Provider around the drive: knows the running downloads on every page, reports when they end, and opens the
 * dialog for links.
 */
export function OfflineProvider({ onArrived, children }: { onArrived: () => void; children: ReactNode }) {
  const call = useCall();
  const client = useQueryClient();
  const [request, setRequest] = useState<AddRequest>();
  const { data } = useInfiniteQuery(listQuery(call, 'running'));
  useLive(['tasks'], () => void client.invalidateQueries({ queryKey: TRANSFERS }));
  const tasks = useMemo(() => allOf(data), [data]);
  useEndings(data === undefined ? undefined : tasks, onArrived);
  useAppBadge(tasks.length);

  const offline = useMemo<Offline>(
    () => ({ addLinks: (wanted = {}) => setRequest(wanted), running: tasks.length }),
    [tasks.length],
  );
  return (
    <OfflineFrame value={offline}>
      {children}
      <Suspense>{request && <AddDialog request={request} onClose={() => setRequest(undefined)} />}</Suspense>
    </OfflineFrame>
  );
}

/** Shows a number on the icon of the installed app, where it has one. */
function useAppBadge(count: number): void {
  useEffect(() => {
    if (!('setAppBadge' in navigator)) return undefined;
    // Browsers may forbid it.
    const ignore = (): undefined => undefined;
    navigator.setAppBadge(count).catch(ignore);
    return () => void navigator.clearAppBadge().catch(ignore);
  }, [count]);
}
