import { DEVICE_KEY } from './device.ts';
import { CONSENT_KEY } from './happenings.ts';
import { TAB_KEYS } from './tab.ts';

/**
 * What stays when a member leaves this browser: its own name, what whoever sits here chose, and what is around the tab.
 * All else is of the member.
 */
const STAYS: ReadonlySet<string> = new Set([DEVICE_KEY, CONSENT_KEY, ...TAB_KEYS]);

/** The parts of a Storage that are needed to empty it. */
export type EmptiedStorage = Pick<Storage, 'length' | 'key' | 'removeItem'>;

/** Empties what pages kept for a member: tickets of uploads, tokens, places, positions. A browser that keeps nothing has nothing to lose. */
export function emptyStorage(storageOf: () => EmptiedStorage): void {
  try {
    const storage = storageOf();
    const names = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');
    for (const name of names) if (!STAYS.has(name)) storage.removeItem(name);
  } catch {
    // Where storage is forbidden, even naming it fails.
  }
}

/** A member signs out here. It works without the server, which says the rest with its answer. */
export function leaveNothing(): void {
  emptyStorage(() => localStorage);
  emptyStorage(() => sessionStorage);
}
