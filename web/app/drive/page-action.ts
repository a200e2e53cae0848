import { useEffect, useEffectEvent } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { parseOrder, type Order } from '@bowerbird/contract';
import { actionOf, type PageAction } from '#app/api/page-actions.ts';
import { idsSaid, said, type PageParameter } from '#app/api/page-query.ts';
import type { ViewType } from '#app/node/index.ts';

/** Actions that a list of the drive does, `?action=move_files&file_ids=a,b`. */
type DriveAction = Extract<
  PageAction,
  | 'open_file'
  | 'highlight_files'
  | 'move_files'
  | 'create_task'
  | 'receive_files'
  | 'url_checker'
  | 'open_feedback'
  | 'show_mobile_sidebar'
  | 'show_storage_dialog'
>;

/** What an address may ask for, with the ids and the link that it names; `order` and `view` are about the list. */
export type DriveActions = Readonly<Record<DriveAction, (ids: readonly string[], url: string) => void>>;

const OBEYED: readonly PageParameter[] = ['action', 'file_ids', 'url', 'order', 'view'];

const isOfDrive = (actions: DriveActions, action: PageAction | undefined): action is DriveAction =>
  action !== undefined && Object.hasOwn(actions, action);

/** Does once what the address asks for, and takes it out of the address, so that a reload and "back" do not repeat it. */
export function usePageAction(
  actions: DriveActions,
  { setOrder, setView }: { setOrder: (order: Order) => void; setView: (view: ViewType) => void },
): void {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const action = actionOf(query);
  const ids = said(query, 'file_ids');
  const url = said(query, 'url');
  const order = said(query, 'order');
  const view = said(query, 'view');
  const obey = useEffectEvent(() => {
    if (!query.has('action') && order === '' && view === '') return;
    const rest = new URLSearchParams(query);
    for (const name of OBEYED) rest.delete(name);
    // Opening a file writes the address itself, in one step with this.
    if (action !== 'open_file')
      void navigate({ search: rest.toString() }, { replace: true, preventScrollReset: true });
    const wantedOrder = parseOrder(order);
    if (wantedOrder) setOrder(wantedOrder);
    if (view === 'list' || view === 'grid') setView(view);
    if (isOfDrive(actions, action)) actions[action](idsSaid(query, 'file_ids'), url);
  });
  useEffect(() => obey(), [action, ids, url, order, view]);
}
