import { useEffect, useEffectEvent } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { parseOrder, type Order } from '@bowerbird/contract';

/** Actions that an address of the drive can ask for: `?action=move_files&file_ids=a,b`. */
export type PageAction =
  | 'open_file'
  | 'highlight_files'
  | 'move_files'
  | 'create_task'
  | 'url_checker'
  | 'show_mobile_sidebar'
  | 'show_storage_dialog';

/** What an address may ask for, with the ids and the link that it names; `order` beside it orders the list. */
export type PageActions = Readonly<Record<PageAction, (ids: readonly string[], url: string) => void>>;

const PARAMETERS = ['action', 'file_ids', 'url', 'order'] as const;

/** Does once what the address asks for, and takes it out of the address, so that a reload and "back" do not repeat it. */
export function usePageAction(actions: PageActions, onOrder: (order: Order) => void): void {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const action = query.get('action');
  const ids = query.get('file_ids') ?? '';
  const url = query.get('url') ?? '';
  const order = query.get('order');
  const obey = useEffectEvent(() => {
    if (action === null && order === null) return;
    const rest = new URLSearchParams(query);
    for (const name of PARAMETERS) rest.delete(name);
    const wanted = ids.split(',').filter((id) => id !== '');
    // Opening a file writes the address itself, in one step with this.
    if (action !== 'open_file')
      void navigate({ search: rest.toString() }, { replace: true, preventScrollReset: true });
    const wantedOrder = parseOrder(order);
    if (wantedOrder) onOrder(wantedOrder);
    if (action !== null && Object.hasOwn(actions, action)) actions[action as PageAction](wanted, url);
  });
  useEffect(() => obey(), [action, ids, url, order]);
}
