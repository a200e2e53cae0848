import { useSyncExternalStore } from 'react';

/** Largest width of a phone's screen. */
export const PHONE_WIDTH = 768;
const query = `(max-width: ${PHONE_WIDTH}px)`;

const subscribe = (changed: () => void): (() => void) => {
  const list = matchMedia(query);
  list.addEventListener('change', changed);
  return () => list.removeEventListener('change', changed);
};

/** Returns whether the screen is that of a phone; only in a browser. */
export const isPhoneScreen = (): boolean => matchMedia(query).matches;

/**
 * Returns false on the server and while hydrating, then the actual value. Elements that must not shift at the
 * first paint use CSS (`max-md:`).
 */
export function useIsPhone(): boolean {
  return useSyncExternalStore(subscribe, isPhoneScreen, () => false);
}
