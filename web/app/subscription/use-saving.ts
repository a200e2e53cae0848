import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import {
  isApiFailure,
  NO_FILTERS,
  SUBSCRIPTIONS,
  subscriptionApi,
  type Filters,
  type Locale,
  type Subscription,
  type SubscriptionKind,
} from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { SUBSCRIPTIONS_KEY } from './subscription-cache.ts';
import { typed, type TypedFilters } from './typed-filters.ts';

/** Contents of the form. */
export interface Draft {
  readonly kind: SubscriptionKind;
  readonly url: string;
  readonly name: string;
  readonly everyMinutes: number;
  readonly filters: TypedFilters;
  /** `undefined` for the default folder of cloud downloads. */
  readonly target: { readonly id: string; readonly name: string } | undefined;
  readonly takeExisting: boolean;
}

export function draftOf(subscription: Subscription | undefined, locale: Locale): Draft {
  if (!subscription)
    return {
      kind: 'feed',
      url: '',
      name: '',
      everyMinutes: SUBSCRIPTIONS.minutesUsual,
      filters: typed(NO_FILTERS, locale),
      target: undefined,
      takeExisting: false,
    };
  const { kind, url, name, every_minutes: everyMinutes, filters } = subscription;
  return {
    kind,
    url,
    name,
    everyMinutes,
    filters: typed(filters, locale),
    target:
      subscription.folder_type === 'DOWNLOAD'
        ? undefined
        : { id: subscription.parent_id, name: subscription.folder_name },
    takeExisting: subscription.take_existing,
  };
}

/** Errors that concern the address. */
const OF_URL = new Set(['link_unsupported', 'link_forbidden']);

/** Submits a form; closes it on success, and shows the error otherwise. */
export function useSaving(subscription: Subscription | undefined, onSaved: () => void) {
  const call = useCall();
  const client = useQueryClient();
  const text = useErrorText();
  const [isSaving, setSaving] = useState(false);
  const [error, setError] = useState<unknown>();
  const isOfUrl = isApiFailure(error) && OF_URL.has(error.id);

  async function send(draft: Draft, filters: Filters): Promise<void> {
    const body = {
      url: draft.url.trim(),
      // The feed's own title was not chosen by the member.
      ...(subscription && draft.name === subscription.name ? {} : { name: draft.name.trim() }),
      every_minutes: draft.everyMinutes,
      filters,
      take_existing: draft.takeExisting,
      ...(draft.target === undefined
        ? { folder_type: 'DOWNLOAD' as const }
        : { parent_id: draft.target.id, folder_type: '' as const }),
    };
    await (subscription
      ? call(subscriptionApi.change, { params: { id: subscription.id }, body })
      : call(subscriptionApi.create, { body: { kind: draft.kind, ...body } }));
    await client.invalidateQueries({ queryKey: SUBSCRIPTIONS_KEY });
  }

  return {
    isSaving,
    urlError: isOfUrl ? text(error) : undefined,
    message: error !== undefined && !isOfUrl ? text(error) : '',
    errorId: isApiFailure(error) ? error.id : undefined,
    save(draft: Draft, filters: Filters): void {
      setSaving(true);
      setError(undefined);
      send(draft, filters).then(onSaved, (failure: unknown) => {
        setSaving(false);
        setError(failure);
      });
    },
  };
}
