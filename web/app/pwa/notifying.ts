import type { PushMessage } from '@bowerbird/contract';
import type { WorkerScope } from './worker-scope.ts';

interface Shown {
  readonly path: string;
  /** Events since the notification was last opened or closed. */
  readonly count: number;
}

/**
 * Shows a notification in place of an earlier one of its kind. The number on the app's icon is that of finished
 * downloads that nobody has looked at.
 */
export async function notify(worker: WorkerScope, message: PushMessage): Promise<void> {
  const { kind, title, body, path } = message;
  const earlier = await worker.registration.getNotifications({ tag: kind });
  const before = (earlier[0]?.data as Shown | undefined)?.count ?? 0;
  const data: Shown = { path, count: before + 1 };
  await worker.registration.showNotification(title, { body, tag: kind, icon: '/icon-192.png', data });
  if (kind === 'download') await worker.navigator.setAppBadge?.(data.count);
}

/** Opens the page of a notification, in a tab of the site if there is one. */
export async function openNotification(worker: WorkerScope, notification: Notification): Promise<void> {
  notification.close();
  const { path } = notification.data as Shown;
  const url = new URL(path, worker.location.origin).href;
  const tabs = await worker.clients.matchAll({ type: 'window' });
  const tab = tabs.find((one) => one.url === url) ?? tabs[0];
  if (!tab) return void (await worker.clients.openWindow(url));
  await tab.focus();
  // A tab that was loaded before the service worker can't be led elsewhere.
  if (tab.url !== url) await tab.navigate(url).catch(() => worker.clients.openWindow(url));
}
