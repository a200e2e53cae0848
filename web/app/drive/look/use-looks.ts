import { useQueryClient } from '@tanstack/react-query';
import { driveApi, type Color } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { randomHex } from '#app/browser/device.ts';
import { useT } from '#app/i18n/t.ts';
import { useFailureToast } from '#app/page/use-failure-toast.ts';
import { toast } from '#app/ui/toast/toast.tsx';
import { LISTINGS } from '../drive-data.ts';
import { PINS } from '../pin/pin-data.ts';
import { inPieces } from '../report/in-pieces.ts';

/** Color and icon of a folder; '' for the usual ones. */
export interface FolderLook {
  readonly color: Color | '';
  readonly emoji: string;
}

/** Returns a function that changes the looks of folders, with an undo. */
export function useLooks(): (ids: readonly string[], look: Partial<FolderLook>) => Promise<void> {
  const call = useCall();
  const client = useQueryClient();
  const t = useT();
  const fail = useFailureToast();
  const once = () => ({ idempotencyKey: randomHex() });

  async function quietly(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      fail(error);
    } finally {
      for (const queryKey of [LISTINGS, PINS, ['file']]) void client.invalidateQueries({ queryKey });
    }
  }

  return (ids, look) =>
    quietly(async () => {
      const before: ({ id: string } & FolderLook)[] = [];
      await inPieces(ids, async (some) => {
        before.push(...(await call(driveApi.look, { body: { ids: [...some], ...look } }, once())).before);
      });
      const text = t('drive.look.done', { count: before.length });
      toast.show({
        text,
        undo: {
          label: t('drive.undo'),
          run: () =>
            void quietly(async () => {
              const groups = Map.groupBy(before, ({ color, emoji }) => `${color} ${emoji}`);
              for (const [first, ...others] of groups.values()) {
                const { id, color, emoji } = first!;
                const its = [id, ...others.map((folder) => folder.id)];
                await call(driveApi.look, { body: { ids: its, color, emoji } }, once());
              }
              toast.show({ text: t('drive.undone', { what: text }) });
            }),
        },
      });
    });
}
