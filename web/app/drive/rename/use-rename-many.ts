import { useQueryClient } from '@tanstack/react-query';
import { driveApi, isErrorId, type ErrorId, type Renaming } from '@bowerbird/contract';
import { callPatiently, useCall } from '#app/api/client.ts';
import { finished } from '#app/api/tasks.ts';
import { randomHex } from '#app/browser/device.ts';
import { useT } from '#app/i18n/t.ts';
import { useFailureToast } from '#app/page/use-failure-toast.ts';
import { toast } from '#app/ui/toast/toast.tsx';
import { LISTINGS } from '../drive-data.ts';
import { reports } from '../report/reports.ts';

/** A renaming of an item, with its folder. */
export interface PlacedRenaming extends Renaming {
  readonly folder: string;
}

/** Delay after which a running operation is reported. */
const SLOW_MS = 400;

const reversed = ({ from, to, ...rest }: PlacedRenaming): PlacedRenaming => ({ ...rest, from: to, to: from });

/** Returns a function that renames items, reports what failed, and offers one undo for all of them. */
export function useRenameMany(): (renamings: readonly PlacedRenaming[]) => Promise<void> {
  const t = useT();
  const call = useCall();
  const client = useQueryClient();
  const fail = useFailureToast();

  /** Returns the errors by item. */
  async function carryOut(renamings: readonly PlacedRenaming[]): Promise<ReadonlyMap<string, ErrorId>> {
    const failures = new Map<string, ErrorId>();
    for (const [folder, some] of Map.groupBy(renamings, (renaming) => renaming.folder)) {
      const renames = some.map(({ id, from, to }) => ({ id, from, to }));
      const { task_id } = await call(
        driveApi.renameMany,
        { body: { parent_id: folder, renames } },
        { idempotencyKey: randomHex() },
      );
      const { params } = await finished(callPatiently, task_id);
      const failed = JSON.parse(params['failed'] ?? '{}') as Record<string, string>;
      for (const [id, error] of Object.entries(failed))
        failures.set(id, isErrorId(error) ? error : 'internal');
    }
    return failures;
  }

  function refresh(): void {
    void client.invalidateQueries({ queryKey: LISTINGS });
    void client.invalidateQueries({ queryKey: ['path'] });
  }

  async function run(renamings: readonly PlacedRenaming[], isUndo: boolean): Promise<void> {
    let silence = (): void => undefined;
    const slow = setTimeout(() => {
      silence = toast.show({ text: t('drive.working', { count: renamings.length }) });
    }, SLOW_MS);
    try {
      const failures = await carryOut(renamings).finally(() => {
        clearTimeout(slow);
        silence();
      });
      const done = renamings.filter(({ id }) => !failures.has(id));
      const text = t('drive.done.renamedMany', { count: done.length });
      if (isUndo) toast.show({ text: t('drive.undone', { what: text }) });
      else if (done.length > 0)
        toast.show({
          text,
          undo: { label: t('drive.undo'), run: () => void run(done.map(reversed), true) },
        });
      if (failures.size > 0) {
        const left = renamings.filter(({ id }) => failures.has(id));
        reports.show({
          what: 'rename',
          done: done.length,
          failures: left.map(({ id, from }) => ({ id, name: from, error: failures.get(id)! })),
          retry: () => void run(left, isUndo),
        });
      }
    } catch (error) {
      fail(error);
    } finally {
      refresh();
    }
  }

  return (renamings) => run(renamings, false);
}
