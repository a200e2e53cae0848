import { useQueryClient } from '@tanstack/react-query';
import { subscriptionApi, type Subscription } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { copyText } from '#app/browser/copy-text.ts';
import { useT } from '#app/i18n/t.ts';
import { toast } from '#app/ui/toast/toast.tsx';
import { LIST_KEY, SUBSCRIPTIONS_KEY } from './subscription-cache.ts';

export interface ConfirmedSubscriptionActions {
  setActive(subscription: Subscription, active: boolean): void;
  run(subscription: Subscription): void;
  remove(subscription: Subscription): void;
  copyAddress(subscription: Subscription): void;
  fetchItem(subscription: Subscription, item: string): void;
}

/** Actions on subscriptions. Each shows its effect at once, and reverts it if the server refuses. */
export function useConfirmedSubscriptionActions(): ConfirmedSubscriptionActions {
  const t = useT();
  const call = useCall();
  const client = useQueryClient();
  const text = useErrorText();

  const refresh = (): Promise<void> => client.invalidateQueries({ queryKey: SUBSCRIPTIONS_KEY });
  const say = (error: unknown): void => void toast.show({ text: text(error), tone: 'danger' });

  async function change(
    id: string,
    shown: (subscription: Subscription) => Subscription | undefined,
    send: () => Promise<unknown>,
  ): Promise<boolean> {
    await client.cancelQueries({ queryKey: LIST_KEY });
    client.setQueryData<Subscription[]>(LIST_KEY, (all) =>
      all?.flatMap((one) => (one.id === id ? (shown(one) ?? []) : [one])),
    );
    try {
      await send();
      return true;
    } catch (error) {
      say(error);
      return false;
    } finally {
      await refresh();
    }
  }

  return {
    setActive: ({ id }, active) =>
      void change(
        id,
        (one) => ({ ...one, active }),
        () => call(subscriptionApi.change, { params: { id }, body: { active } }),
      ),

    run: ({ id }) =>
      void change(
        id,
        (one) => ({ ...one, running: true }),
        () => call(subscriptionApi.run, { params: { id } }),
      ),

    remove({ id, name }) {
      const bringBack = (): void =>
        void call(subscriptionApi.restore, { params: { id } }).catch(say).then(refresh);
      void change(
        id,
        () => undefined,
        () => call(subscriptionApi.remove, { params: { id } }),
      ).then((isDone) => {
        if (isDone)
          toast.show({
            text: t('subscription.removed', { name }),
            action: { label: t('drive.undo'), run: bringBack },
          });
      });
    },

    copyAddress: ({ url }) =>
      void copyText(url).then(
        () => toast.show({ text: t('subscription.copied') }),
        () => toast.show({ text: url }),
      ),

    fetchItem: ({ id }, item) =>
      void change(
        id,
        (one) => ({ ...one, running: true }),
        () => call(subscriptionApi.take, { params: { id }, body: { ids: [item] } }),
      ),
  };
}
