import { useSyncExternalStore } from 'react';

/** Files that were cut or copied with the keyboard, until they are pasted. */
export interface Clipboard {
  readonly ids: readonly string[];
  /** Previous folder of each entry. */
  readonly from: ReadonlyMap<string, string>;
  readonly cut: boolean;
}

let held: Clipboard | undefined;
const listeners = new Set<() => void>();

export const clipboard = {
  hold(next: Clipboard | undefined): void {
    held = next;
    for (const listener of listeners) listener();
  },
};

export function useClipboard(): Clipboard | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => held,
    () => undefined,
  );
}
