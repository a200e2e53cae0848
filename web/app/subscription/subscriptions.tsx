import { useState } from 'react';
import { Plus, Rss } from 'lucide-react';
import type { Subscription } from '@bowerbird/contract';
import { useErrorText } from '#app/api/error-text.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { SubscriptionCard } from './subscription-card.tsx';
import { SubscriptionForm } from './subscription-form.tsx';
import { useConfirmedSubscriptionActions } from './use-confirmed-subscription-actions.ts';
import type { useSubscriptions } from './use-subscriptions.ts';

/** Feeds and links of a member, with their status. */
export function Subscriptions({
  list,
  onAdd,
}: {
  list: ReturnType<typeof useSubscriptions>;
  onAdd: () => void;
}) {
  const t = useT();
  const text = useErrorText();
  const actions = useConfirmedSubscriptionActions();
  const [unfolded, setUnfolded] = useState<string>();
  const [edited, setEdited] = useState<Subscription>();

  if (list.isError && list.data === undefined)
    return (
      <EmptyState
        title={t('drive.failed.title')}
        text={text(list.error)}
        actions={<Button onClick={() => void list.refetch()}>{t('ui.retry')}</Button>}
      />
    );
  if (list.data === undefined)
    return (
      <div className="grid gap-2 p-6 max-md:p-3">
        {[0, 1, 2].map((row) => (
          <Skeleton key={row} className="h-18" />
        ))}
      </div>
    );
  if (list.data.length === 0)
    return (
      <div className="min-h-0 flex-1 overflow-y-auto">
        <EmptyState
          mark={<Rss className="size-12" aria-hidden="true" />}
          title={t('subscription.empty.title')}
          text={t('subscription.empty.text')}
          actions={
            <Button variant="primary" icon={<Plus />} onClick={onAdd} className="max-md:h-11">
              {t('subscription.add')}
            </Button>
          }
        />
      </div>
    );
  return (
    <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-6 pt-1 pb-6 max-md:px-3">
      <ul aria-label={t('subscription.list')} className="grid gap-2">
        {list.data.map((subscription) => (
          <li key={subscription.id}>
            <SubscriptionCard
              subscription={subscription}
              actions={actions}
              isUnfolded={unfolded === subscription.id}
              onUnfold={() => setUnfolded(unfolded === subscription.id ? undefined : subscription.id)}
              onEdit={() => setEdited(subscription)}
            />
          </li>
        ))}
      </ul>
      {edited && <SubscriptionForm subscription={edited} onClose={() => setEdited(undefined)} />}
    </div>
  );
}
