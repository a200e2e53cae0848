import { useEffect, useEffectEvent } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { idsSaid, said } from '#app/browser/page-query.ts';
import { actionOf, obeyed, type PageAction } from '#app/embedding/page-actions.ts';

/** What a page does of what addresses ask for, with the ids and the link that they name: `?action=move_files&file_ids=a,b`. */
export type PageDeeds = Readonly<Partial<Record<PageAction, (ids: readonly string[], url: string) => void>>>;

/** Does once what the address asks of this page, and takes it out of the address. */
export function usePageAction(deeds: PageDeeds): void {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const action = actionOf(query);
  const ids = said(query, 'file_ids');
  const url = said(query, 'url');
  const obey = useEffectEvent(() => {
    const deed = action === undefined ? undefined : deeds[action];
    if (!deed) return;
    void navigate({ search: obeyed(query) }, { replace: true, preventScrollReset: true });
    deed(idsSaid(query, 'file_ids'), url);
  });
  useEffect(() => obey(), [action, ids, url]);
}
