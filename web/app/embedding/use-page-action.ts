import { useEffect, useEffectEvent } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { idsSaid, said } from '#app/browser/page-query.ts';
import { actionOf, obeyed, type PageAction } from './page-actions.ts';

/**
 * Actions that an address can request from a page, with ids, and a link or a code as parameters:
 * `?action=move_files&file_ids=a,b`.
 */
export type PageActionHandlers = Readonly<
  Partial<Record<PageAction, (ids: readonly string[], value: string) => void>>
>;

/** Runs the requested action of the address once, and removes it from the address. */
export function usePageAction(handlers: PageActionHandlers): void {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const action = actionOf(query);
  const ids = said(query, 'file_ids');
  const value = said(query, action === 'open_redeem_box' ? 'code' : 'url');
  const obey = useEffectEvent(() => {
    const handle = action === undefined ? undefined : handlers[action];
    if (!handle) return;
    void navigate({ search: obeyed(query) }, { replace: true, preventScrollReset: true });
    handle(idsSaid(query, 'file_ids'), value);
  });
  useEffect(() => obey(), [action, ids, value]);
}
