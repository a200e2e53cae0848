import { textOf } from '#app/browser/form-text.ts';
import { leaveFiles } from './left-files.ts';
import { OFFLINE_PAGE, RECEIVED, SHARE_TARGET, type KeepOfflinePage } from './places.ts';
import { readShared, textFile } from './shared-text.ts';
import type { PushMessage } from '@bowerbird/contract';
import { notify, openNotification } from './notifying.ts';
import type { FetchEvent, WorkerScope } from './worker-scope.ts';

// Service worker of the pages, also in the installed app. It caches no page other than the offline page.
const worker = globalThis as unknown as WorkerScope;
const STORE = 'offline-page';

worker.addEventListener('install', () => void worker.skipWaiting());

worker.addEventListener('activate', (event) => {
  event.waitUntil(Promise.all([worker.clients.claim(), worker.registration.navigationPreload.enable()]));
});

worker.addEventListener('message', (event) => {
  const { about, locale } = event.data as KeepOfflinePage;
  if (about === 'offline page') event.waitUntil(keepOfflinePage(locale));
});

worker.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  if (method === 'POST' && new URL(url).pathname === SHARE_TARGET) event.respondWith(receive(event.request));
  else if (method === 'GET' && mode === 'navigate') event.respondWith(page(event));
});

worker.addEventListener('push', (event) => {
  if (event.data) event.waitUntil(notify(worker, event.data.json() as PushMessage));
});

worker.addEventListener('notificationclick', (event) => {
  event.waitUntil(openNotification(worker, event.notification));
});

async function page(event: FetchEvent): Promise<Response> {
  try {
    return (await event.preloadResponse) ?? (await fetch(event.request));
  } catch (error) {
    const offline = await (await caches.open(STORE)).match(OFFLINE_PAGE);
    if (offline) return offline;
    throw error;
  }
}

async function keepOfflinePage(locale: string): Promise<void> {
  const found = await fetch(`/${locale}${OFFLINE_PAGE}`);
  if (found.ok) await (await caches.open(STORE)).put(OFFLINE_PAGE, found);
}

/**
 * Keeps all shared content: files and text wait for the drive; links are checked there, or at once in the
 * link checker if a single link was shared alone.
 */
async function receive(request: Request): Promise<Response> {
  const form = await request.formData();
  const files = form.getAll('files').filter((entry) => entry instanceof File);
  const fields = { url: textOf(form, 'url'), text: textOf(form, 'text'), title: textOf(form, 'title') };
  const { links, words } = readShared(fields, worker.location.origin, files.length > 0);
  if (words !== '') files.push(textFile(words));
  if (files.length > 0) await leaveFiles(files);
  const place = placeOf(links, files.length > 0);
  return Response.redirect(new URL(place, worker.location.origin).href, 303);
}

function placeOf(links: readonly string[], hasFiles: boolean): string {
  if (links.length === 0) return RECEIVED;
  const url = encodeURIComponent(links.join('\n'));
  if (hasFiles) return `${RECEIVED}&url=${url}`;
  return links.length === 1 ? `/url-checker?url=${url}` : `/drive/all?action=create_task&url=${url}`;
}
