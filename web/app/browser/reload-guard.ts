const KEY = 'pp_reloaded_at';
const GUARD = 10_000;

/** Whether a page may reload itself now: once in ten seconds per tab, or a broken deploy would reload for ever. */
export function mayReload(storage: Pick<Storage, 'getItem' | 'setItem'>, now: number): boolean {
  const last = Number(storage.getItem(KEY) ?? 0);
  if (now - last < GUARD) return false;
  storage.setItem(KEY, String(now));
  return true;
}

/** After a deploy the parts of an old page are gone from the server: when one fails to load, the page is loaded anew. */
export function reloadWhenOutdated(): void {
  addEventListener('vite:preloadError', (event) => {
    // Without a network a new page is none at all.
    if (!navigator.onLine) return;
    try {
      if (!mayReload(sessionStorage, Date.now())) return;
    } catch {
      // Without storage nothing could stop it from reloading for ever.
      return;
    }
    event.preventDefault();
    location.reload();
  });
}
