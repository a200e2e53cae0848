import { useSyncExternalStore } from 'react';

const never = () => () => undefined;
const yes = () => true;
const no = () => false;

/** False on the server and while hydrating, true from then on: for what only a browser can draw. */
export function useIsBrowser(): boolean {
  return useSyncExternalStore(never, yes, no);
}
