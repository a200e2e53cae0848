import { useEffect, useEffectEvent } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { parseOrder } from '@bowerbird/contract';
import { said } from '#app/browser/page-query.ts';
import { obeyed } from '#app/embedding/page-actions.ts';
import type { SharedDisplayMode } from './display-mode.ts';

/**
 * Applies the `order` and `view` parameters of the address to a list, and removes them from the address: from
 * then on the user's own choices apply.
 */
export function useAskedDisplay(
  show: (asked: Partial<Pick<SharedDisplayMode, 'order' | 'viewType'>>) => void,
): void {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const order = said(query, 'order');
  const view = said(query, 'view');
  const obey = useEffectEvent(() => {
    if (order === '' && view === '') return;
    void navigate({ search: obeyed(query) }, { replace: true, preventScrollReset: true });
    const wantedOrder = parseOrder(order);
    show({
      ...(wantedOrder ? { order: wantedOrder } : {}),
      ...(view === 'list' || view === 'grid' ? { viewType: view } : {}),
    });
  });
  useEffect(() => obey(), [order, view]);
}
