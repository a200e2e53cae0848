import { useQueryClient } from '@tanstack/react-query';
import { offlineApi, taskApi, type Task } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useT } from '#app/i18n/t.ts';
import { useFailureToast } from '#app/page/use-failure-toast.ts';
import { toast } from '#app/ui/toast/toast.tsx';
import { changeShown, hideShown, tabOf, TRANSFERS } from './transfer-cache.ts';

export type Priority = 'high' | 'normal' | 'low';

const BATCH = 200;

function* batches(ids: readonly string[]): Generator<string[]> {
  for (let from = 0; from < ids.length; from += BATCH) yield ids.slice(from, from + BATCH);
}

let last: Promise<unknown> = Promise.resolve();

/** Runs actions one after the other: files are deleted with their tasks before the list is cleared. */
function inOrder<R>(work: () => Promise<R>): Promise<R> {
  const done = last.then(work);
  last = done.catch(() => undefined);
  return done;
}

const withParams = (task: Task, params: Record<string, string>): Task => ({
  ...task,
  params: { ...task.params, ...params },
});

/** Actions on transfers. Each shows its effect at once, and reverts it if the server refuses. */
export function useTransferActions() {
  const t = useT();
  const call = useCall();
  const client = useQueryClient();
  const fail = useFailureToast();

  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: TRANSFERS });

  async function change(
    tasks: readonly Task[],
    shown: (task: Task) => Task,
    send: (ids: string[]) => Promise<unknown>,
  ): Promise<void> {
    const ids = tasks.map(({ id }) => id);
    if (ids.length === 0) return;
    try {
      await changeShown(client, new Set(ids), shown);
      await inOrder(async () => {
        for (const some of batches(ids)) await send(some);
      });
    } catch (error) {
      fail(error);
    }
    await refresh();
  }

  return {
    pause: (tasks: readonly Task[]) =>
      change(
        tasks.filter(({ phase }) => phase === 'PHASE_TYPE_PENDING' || phase === 'PHASE_TYPE_RUNNING'),
        (task) => ({ ...task, phase: 'PHASE_TYPE_PAUSED' }),
        (ids) => call(offlineApi.pause, { body: { ids } }),
      ),
    resume: (tasks: readonly Task[]) =>
      change(
        tasks.filter(({ phase }) => phase === 'PHASE_TYPE_PAUSED'),
        (task) => ({ ...task, phase: 'PHASE_TYPE_PENDING' }),
        (ids) => call(offlineApi.resume, { body: { ids } }),
      ),
    retry: (tasks: readonly Task[]) =>
      change(
        tasks,
        (task) => withParams({ ...task, phase: 'PHASE_TYPE_PENDING', message: '' }, { error: '' }),
        (ids) => call(offlineApi.retry, { body: { ids } }),
      ),
    prioritize: (tasks: readonly Task[], priority: Priority) =>
      change(
        tasks,
        (task) => withParams(task, { priority }),
        (ids) => call(offlineApi.prioritize, { body: { ids, priority } }),
      ),
    /** Cancels running tasks and removes the others. */
    async remove(tasks: readonly Task[], { withFiles }: { withFiles: boolean }): Promise<void> {
      const ids = tasks.map(({ id }) => id);
      const bringBack = hideShown(
        client,
        tasks.map(({ id, phase }) => ({ id, tab: tabOf(phase) })),
      );
      try {
        await inOrder(async () => {
          for (const some of batches(ids))
            await call(taskApi.remove, {
              query: { task_ids: some.join(','), delete_files: String(withFiles) },
            });
        });
      } catch (error) {
        bringBack();
        fail(error);
      }
      await refresh();
    },
    async clear(tab: 'finished' | 'failed'): Promise<void> {
      try {
        const phase = tab === 'finished' ? 'PHASE_TYPE_COMPLETE' : 'PHASE_TYPE_ERROR';
        await inOrder(() => call(taskApi.clear, { body: { type: 'offline', phase } }));
        toast.show({ text: t('transfers.said.cleared') });
      } catch (error) {
        fail(error);
      }
      await refresh();
    },
  };
}
