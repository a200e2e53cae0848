import { useEffect } from 'react';
import { useT } from '#app/i18n/t.ts';
import { SERVICE_WORKER, type KeepOfflinePage } from './places.ts';

async function standBy(locale: string): Promise<void> {
  await navigator.serviceWorker.register(SERVICE_WORKER);
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage({ about: 'offline page', locale } satisfies KeepOfflinePage);
}

/** Registers the service worker, and keeps its offline page in the reader's language. */
export function ServiceWorkerHost(): null {
  const { locale } = useT();
  useEffect(() => {
    if (import.meta.env.DEV || !('serviceWorker' in navigator)) return;
    standBy(locale).catch(() => {
      // Browsers may forbid service workers, as in private windows: the site works without one.
    });
  }, [locale]);
  return null;
}
