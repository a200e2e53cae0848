import { useEffect, useEffectEvent, useRef } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { isApiFailure, taskApi, type Task } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { toast } from '#app/ui/toast/toast.tsx';
import { isGone, TRANSFERS } from './transfer-cache.ts';
import { transferOf } from './transfer-facts.ts';
import { placeOf } from './transfer-places.ts';

/** Largest number of simultaneous endings that are reported one by one. */
const ONE_BY_ONE = 2;

/**
 * Reports transfers that finished or failed since the last look; `tasks` are those that had not ended,
 * `undefined` before the first look.
 */
export function useEndings(tasks: readonly Task[] | undefined, onArrived: () => void): void {
  const t = useT();
  const call = useCall();
  const client = useQueryClient();
  const navigate = useNavigate();
  const path = useLocalePath();
  const before = useRef<ReadonlySet<string>>(undefined);

  const tellOne = (task: Task): void => {
    const { name, state, ...transfer } = transferOf(task, Date.now());
    const place = placeOf(transfer);
    if (state === 'finished')
      toast.show({
        text: t('transfers.said.finished', { name }),
        tone: 'success',
        action: { label: t('transfers.showInFolder'), run: () => void navigate(path(place.show)) },
      });
    else
      toast.show({
        text: t('transfers.said.failed', { name, reason: task.message }),
        tone: 'danger',
        action: {
          label: t('transfers.said.look'),
          run: () => void navigate(path(`/drive/transfers?action=show_task&task_id=${task.id}`)),
        },
      });
  };

  const tell = useEffectEvent(async (ids: readonly string[]) => {
    const looked = await Promise.all(
      ids.map((id) =>
        call(taskApi.get, { params: { id } }).catch((error: unknown) => {
          if (isApiFailure(error)) return undefined;
          throw error;
        }),
      ),
    );
    const ended = looked.filter((task) => task !== undefined && !isGone(task.id)) as Task[];
    const finished = ended.filter(({ phase }) => phase === 'PHASE_TYPE_COMPLETE');
    const failed = ended.filter(({ phase }) => phase === 'PHASE_TYPE_ERROR');
    if (finished.length > 0) onArrived();
    if (finished.length + failed.length > 0) void client.invalidateQueries({ queryKey: TRANSFERS });
    const overview = (tab: string) => ({
      label: t('transfers.said.look'),
      run: () => void navigate(path(`/drive/transfers?tab=${tab}`)),
    });
    if (finished.length > ONE_BY_ONE)
      toast.show({
        text: t('transfers.said.manyFinished', { count: finished.length }),
        tone: 'success',
        action: overview('finished'),
      });
    else finished.forEach(tellOne);
    if (failed.length > ONE_BY_ONE)
      toast.show({
        text: t('transfers.said.manyFailed', { count: failed.length }),
        tone: 'danger',
        action: overview('failed'),
      });
    else failed.forEach(tellOne);
  });

  useEffect(() => {
    if (!tasks) return;
    const now = new Set(tasks.map(({ id }) => id));
    const left = [...(before.current ?? [])].filter((id) => !now.has(id) && !isGone(id));
    before.current = now;
    if (left.length > 0) void tell(left.slice(0, 100));
  }, [tasks]);
}
