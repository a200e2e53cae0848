import { textOf } from '../api/form-text.ts';
import { leaveFiles } from './left-files.ts';
import { OFFLINE_PAGE, RECEIVED, SHARE_TARGET, type KeepOfflinePage } from './places.ts';
import { sharedLink } from './shared-link.ts';
import type { FetchEvent, WorkerScope } from './worker-scope.ts';

// Stands beside the pages, also of an installed app, and keeps none of them but the one that says that there is no network.
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
  const found = await fetch(`${OFFLINE_PAGE}?locale=${locale}`);
  if (found.ok) await (await caches.open(STORE)).put(OFFLINE_PAGE, found);
}

async function receive(request: Request): Promise<Response> {
  const form = await request.formData();
  const files = form.getAll('files').filter((entry) => entry instanceof File);
  const link = sharedLink({
    url: textOf(form, 'url'),
    text: textOf(form, 'text'),
    title: textOf(form, 'title'),
  });
  if (files.length > 0) await leaveFiles(files);
  const place =
    files.length === 0 && link !== undefined ? `/url-checker?url=${encodeURIComponent(link)}` : RECEIVED;
  return Response.redirect(new URL(place, worker.location.origin).href, 303);
}
