import { useCallback } from 'react';
import { useNavigate } from 'react-router';
import { isApiFailure, type ErrorId, type ProductKind } from '@bowerbird/contract';
import { errorText } from '#app/api/error-text.ts';
import { useOffers } from '#app/api/use-offers.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { toast } from '#app/ui/toast/toast.tsx';

/** Page with everything that raises limits. */
const SHOP = '/inapp/shop';

/** Limits that what is sold can raise, by the error that reports them. */
const RAISED_BY: Partial<Record<ErrorId, readonly ProductKind[]>> = {
  file_space_not_enough: ['plan', 'storage'],
  task_daily_create_limit: ['plan'],
  task_daily_create_limit_vip: ['plan'],
  task_traffic_limit: ['plan'],
  traffic_offline_limit: ['plan', 'traffic'],
  traffic_download_limit: ['plan', 'traffic'],
  traffic_upload_limit: ['plan', 'traffic'],
};

/** Returns the page on which members can raise the limit that an error is about; undefined if nothing raises it. */
export function useWayOut(): (id: ErrorId | undefined) => string | undefined {
  const { products } = useOffers();
  return useCallback(
    (id) => (id && RAISED_BY[id]?.some((kind) => products.includes(kind)) ? SHOP : undefined),
    [products],
  );
}

/** Returns a function that reports a failure, with a way to the plans if they raise the limit that was reached. */
export function useFailureToast(): (error: unknown) => void {
  const t = useT();
  const wayOut = useWayOut();
  const navigate = useNavigate();
  const path = useLocalePath();
  return (error) => {
    const to = isApiFailure(error) ? wayOut(error.id) : undefined;
    toast.show({
      text: errorText(t, error),
      tone: 'danger',
      ...(to === undefined ? {} : { action: { label: t('more.see'), run: () => void navigate(path(to)) } }),
    });
  };
}
