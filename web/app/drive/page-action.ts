import { useEffect, useEffectEvent } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { parseOrder } from '@bowerbird/contract';
import { actionOf, type PageAction } from '#app/api/page-actions.ts';
import { idsSaid, said, type PageParameter } from '#app/api/page-query.ts';
import type { DisplayModeControl } from '#app/node/index.ts';

/** What a page does of what addresses ask for, with the ids and the link that they name: `?action=move_files&file_ids=a,b`. */
export type PageDeeds = Readonly<Partial<Record<PageAction, (ids: readonly string[], url: string) => void>>>;

const OBEYED: readonly PageParameter[] = ['action', 'file_ids', 'url', 'order', 'view'];

/**
 * Does once what the address asks of this page, and takes it out of the address, so that a reload and "back" do not
 * repeat it. `order` and `view` are about the list, as far as it can be ordered and shown in another way.
 */
export function usePageAction(
  deeds: PageDeeds,
  list: Partial<Pick<DisplayModeControl, 'setOrder' | 'setView'>> = {},
): void {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const action = actionOf(query);
  const ids = said(query, 'file_ids');
  const url = said(query, 'url');
  const order = said(query, 'order');
  const view = said(query, 'view');
  const obey = useEffectEvent(() => {
    const deed = action === undefined ? undefined : deeds[action];
    const isAboutList = (list.setOrder && order !== '') || (list.setView && view !== '');
    if (!deed && !isAboutList) return;
    const rest = new URLSearchParams(query);
    for (const name of OBEYED) rest.delete(name);
    void navigate({ search: rest.toString() }, { replace: true, preventScrollReset: true });
    const wantedOrder = parseOrder(order);
    if (wantedOrder) list.setOrder?.(wantedOrder);
    if (view === 'list' || view === 'grid') list.setView?.(view);
    deed?.(idsSaid(query, 'file_ids'), url);
  });
  useEffect(() => obey(), [action, ids, url, order, view]);
}
