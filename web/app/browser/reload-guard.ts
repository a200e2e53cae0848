const KEY = 'pp_reloaded_at';
const GUARD = 10_000;

/**
 * Returns true if the page may reload itself: at most once in ten seconds per tab, or a broken deployment
 * would reload forever.
 */
export function mayReload(storage: Pick<Storage, 'getItem' | 'setItem'>, now: number): boolean {
  const last = Number(storage.getItem(KEY) ?? 0);
  if (now - last < GUARD) return false;
  storage.setItem(KEY, String(now));
  return true;
}

/**
 * Reloads the page when one of its chunks fails to load: after a deployment the old chunks are gone from the
 * server.
 */
export function reloadWhenOutdated(): void {
  addEventListener('vite:preloadError', (event) => {
    // Offline, reloading would lose the page.
    if (!navigator.onLine) return;
    try {
      if (!mayReload(sessionStorage, Date.now())) return;
    } catch {
      // Without storage, nothing could stop endless reloading.
      return;
    }
    event.preventDefault();
    location.reload();
  });
}
