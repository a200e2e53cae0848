import { useEffect, useEffectEvent, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { taskApi, type Task } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { idsSaid, said } from '#app/browser/page-query.ts';
import { actionOf } from '#app/embedding/page-actions.ts';
import { useOffline } from '../offline-frame.ts';
import { tabFor, tabOf, type Tab } from './transfer-cache.ts';

const MARKED_MS = 6000;

export interface Marked {
  readonly marked: ReadonlySet<string>;
  /** First marked task in the tab, to scroll to. */
  readonly seek: string | undefined;
}

/**
 * Runs the request of an address, once: `?action=show_task&task_id=a,b` highlights these tasks for a while, in
 * the tab that contains them; `?action=create_task&url=…` opens the dialog for links.
 */
export function useMarked(tasks: readonly Task[], tab: Tab): Marked {
  const call = useCall();
  const navigate = useNavigate();
  const { addLinks } = useOffline();
  const [query] = useSearchParams();
  const [marked, setMarked] = useState<ReadonlySet<string>>(new Set());
  const action = actionOf(query);
  const ids = said(query, 'task_id');

  const goTo = (place: Tab): void =>
    void navigate(
      { search: place === 'running' ? '' : `?tab=${place}` },
      { replace: true, preventScrollReset: true },
    );
  /** A user who switches tabs while the tasks are being located has priority: `signal` is then aborted. */
  const show = useEffectEvent(async (signal: AbortSignal) => {
    const wanted = idsSaid(query, 'task_id');
    // The list may be older than the tasks, and some may have ended since: the server has their current state.
    const phases = await Promise.all(
      wanted.map((id) =>
        call(taskApi.get, { params: { id } }).then(
          ({ phase }) => phase,
          () => tasks.find((task) => task.id === id)?.phase,
        ),
      ),
    );
    if (signal.aborted) return;
    setMarked(new Set(wanted));
    goTo(tabFor(phases.filter((phase) => phase !== undefined).map(tabOf)) ?? tab);
  });
  const create = useEffectEvent(() => {
    addLinks({ text: said(query, 'url') });
    goTo(tab);
  });
  useEffect(() => {
    const leaving = new AbortController();
    if (action === 'show_task') void show(leaving.signal);
    if (action === 'create_task') create();
    return () => leaving.abort();
  }, [action, ids]);
  useEffect(() => {
    if (marked.size === 0) return undefined;
    const timer = setTimeout(() => setMarked(new Set()), MARKED_MS);
    return () => clearTimeout(timer);
  }, [marked]);
  return { marked, seek: [...marked].find((id) => tasks.some((task) => task.id === id)) };
}
