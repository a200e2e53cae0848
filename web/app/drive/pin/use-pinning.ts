import { useQueryClient } from '@tanstack/react-query';
import { driveApi, type File, type Pin } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { randomHex } from '#app/browser/device.ts';
import { useT } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { useFailureToast } from '#app/page/use-failure-toast.ts';
import { toast } from '#app/ui/toast/toast.tsx';
import { PINS } from './pin-data.ts';

export interface Pinning {
  pin(folder: Pick<File, 'id' | 'name' | 'parent_id'>): Promise<void>;
  unpin(pin: Pin): Promise<void>;
  /** Returns an error to show beside the field, if any. */
  rename(id: string, name: string): Promise<string | undefined>;
  order(pins: readonly Pin[]): Promise<void>;
}

/** A member's changes of their pinned folders. What they show changes at once. */
export function usePinning(): Pinning {
  const call = useCall();
  const client = useQueryClient();
  const t = useT();
  const fail = useFailureToast();
  const errorText = useErrorText();
  const once = () => ({ idempotencyKey: randomHex() });
  const show = (change: (pins: readonly Pin[]) => readonly Pin[]): void => {
    client.setQueryData<readonly Pin[]>(PINS, (pins = []) => change(pins));
  };

  async function quietly(work: () => Promise<unknown>): Promise<void> {
    // An answer that is on its way would show the former pins again.
    await client.cancelQueries({ queryKey: PINS });
    try {
      await work();
    } catch (error) {
      fail(error);
    } finally {
      void client.invalidateQueries({ queryKey: PINS });
    }
  }

  const order = (pins: readonly Pin[]): Promise<void> => {
    show(() => pins);
    return quietly(() => call(driveApi.orderPins, { body: { ids: pins.map(({ id }) => id) } }, once()));
  };

  return {
    order,

    async pin({ id, name }) {
      await quietly(async () => {
        await call(driveApi.pin, { body: { id } }, once());
        toast.show({
          text: t('drive.pin.done', { name: shownName(name) }),
          undo: {
            label: t('drive.undo'),
            run: () => void quietly(() => call(driveApi.unpin, { params: { id } }, once())),
          },
        });
      });
    },

    async unpin({ id, name, folder_name: own }) {
      const before = client.getQueryData<readonly Pin[]>(PINS) ?? [];
      show((pins) => pins.filter((pin) => pin.id !== id));
      await quietly(async () => {
        await call(driveApi.unpin, { params: { id } }, once());
        toast.show({
          text: t('drive.pin.removed', { name: shownName(name || own) }),
          undo: {
            label: t('drive.undo'),
            run: () =>
              void quietly(async () => {
                await call(driveApi.pin, { body: { id, name } }, once());
                await call(driveApi.orderPins, { body: { ids: before.map((pin) => pin.id) } }, once());
              }),
          },
        });
      });
    },

    async rename(id, name) {
      try {
        await call(driveApi.renamePin, { params: { id }, body: { name } }, once());
        show((pins) => pins.map((pin) => (pin.id === id ? { ...pin, name: name.trim() } : pin)));
        return undefined;
      } catch (error) {
        return errorText(error);
      }
    },
  };
}
