import { DEVICE_KEY } from '#app/browser/device.ts';
import { TAB_KEYS } from '#app/browser/tab.ts';
import { CONSENT_KEY } from '#app/statistics/happenings.ts';

/**
 * Keys that survive a sign-out: the browser's device id, the choice about statistics and the state of the tab.
 * Everything else belongs to the member.
 */
const KEPT_KEYS: ReadonlySet<string> = new Set([DEVICE_KEY, CONSENT_KEY, ...TAB_KEYS]);

/** The members of `Storage` that clearing needs. */
export type ClearableStorage = Pick<Storage, 'length' | 'key' | 'removeItem'>;

/**
 * Removes the data that pages stored for a member: upload tickets, tokens, folders, play positions. Does
 * nothing if storage is forbidden.
 */
export function clearStorage(storageOf: () => ClearableStorage): void {
  try {
    const storage = storageOf();
    const names = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');
    for (const name of names) if (!KEPT_KEYS.has(name)) storage.removeItem(name);
  } catch {
    // If storage is forbidden, even reading `localStorage` throws.
  }
}

/** Clears the member's data when signing out. Needs no server; its response clears the cache in addition. */
export function clearMemberStorage(): void {
  clearStorage(() => localStorage);
  clearStorage(() => sessionStorage);
}
