import { pushApi, type ApiCall, type PushDevice } from '@bowerbird/contract';

/**
 * Permission to notify this browser: it can't be notified at all (`unsupported`), the person or the system forbids it (`denied`),
 * it would ask first (`default`), or it may (`granted`).
 */
export type PushPermission = 'unsupported' | NotificationPermission;

/** Returns the permission without asking for it; browser only. */
export function pushPermission(): PushPermission {
  const canPush = 'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis;
  return canPush ? Notification.permission : 'unsupported';
}

async function manager(): Promise<PushManager | undefined> {
  // Without a service worker, as in private windows, `ready` would never resolve.
  const registration = await navigator.serviceWorker.getRegistration();
  return registration?.pushManager;
}

const encoded = (key: ArrayBuffer | null): string =>
  btoa(String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer())))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/**
 * Asks for the permission, unless the browser has it, and sends notifications to this browser. Call it when a person
 * has asked for it: browsers ask them only then. Returns undefined if it wasn't permitted or isn't possible.
 */
export async function subscribeToPush(call: ApiCall, withNames: boolean): Promise<PushDevice | undefined> {
  if ((await Notification.requestPermission()) !== 'granted') return undefined;
  const pushes = await manager();
  if (!pushes) return undefined;
  const { public_key: key } = await call(pushApi.look, {});
  // A subscription that was made with another key can't be used any more.
  const earlier = await pushes.getSubscription();
  if (earlier && encoded(earlier.options.applicationServerKey) !== key) await earlier.unsubscribe();
  const subscription = await pushes.subscribe({ userVisibleOnly: true, applicationServerKey: key });
  return call(pushApi.subscribe, {
    body: {
      endpoint: subscription.endpoint,
      p256dh: encoded(subscription.getKey('p256dh')),
      auth: encoded(subscription.getKey('auth')),
      with_names: withNames,
    },
  });
}

/** Ends notifications to a browser; to this one also in the browser itself. */
export async function endPush(call: ApiCall, device: PushDevice): Promise<void> {
  await call(pushApi.unsubscribe, { params: { id: device.id } });
  if (!device.is_current || pushPermission() === 'unsupported') return;
  await (await (await manager())?.getSubscription())?.unsubscribe().catch(() => undefined);
}

/** Removes the notifications about downloads and the number on the app's icon: they have been seen. */
export async function seenDownloads(): Promise<void> {
  if (pushPermission() !== 'granted') return;
  const registration = await navigator.serviceWorker.getRegistration();
  const shown = (await registration?.getNotifications({ tag: 'download' })) ?? [];
  for (const notification of shown) notification.close();
  await (navigator as { clearAppBadge?: () => Promise<void> }).clearAppBadge?.();
}
