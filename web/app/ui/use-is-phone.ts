import { useSyncExternalStore } from 'react';

/** Width at and below which a screen counts as a phone. */
export const PHONE_WIDTH = 768;
const query = `(max-width: ${PHONE_WIDTH}px)`;

const subscribe = (changed: () => void): (() => void) => {
  const list = matchMedia(query);
  list.addEventListener('change', changed);
  return () => list.removeEventListener('change', changed);
};

/** False on the server and while hydrating, then the truth. What must not jump at the first paint is CSS (`max-md:`). */
export function useIsPhone(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  );
}
