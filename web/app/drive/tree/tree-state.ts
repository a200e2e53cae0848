import { useSyncExternalStore } from 'react';

/** State of a member's folder tree, which the browser remembers. */
export interface TreeState {
  readonly isShown: boolean;
  /** Ids of the open folders, the last opened one last. */
  readonly open: readonly string[];
}

const START: TreeState = { isShown: false, open: [] };
/** Open folders that are remembered. */
const MOST = 60;

const keyOf = (user: string): string => `pp_tree_${user}`;
const listeners = new Set<() => void>();
const known = new Map<string, { readonly stored: string | null; readonly state: TreeState }>();

/** Returns the state that was written as a text; the first one if it is something else. */
export function parseTree(stored: string | null): TreeState {
  try {
    const parsed = JSON.parse(stored ?? '') as Partial<TreeState> | null;
    const open = Array.isArray(parsed?.open) ? parsed.open : [];
    return {
      isShown: parsed?.isShown === true,
      open: open.filter((id): id is string => typeof id === 'string' && id !== '').slice(-MOST),
    };
  } catch {
    return START;
  }
}

function read(user: string): TreeState {
  let stored: string | null = null;
  try {
    stored = localStorage.getItem(keyOf(user));
  } catch {
    // Without storage, the tree is remembered for as long as the page.
    return known.get(user)?.state ?? START;
  }
  const last = known.get(user);
  if (last && last.stored === stored) return last.state;
  const state = parseTree(stored);
  known.set(user, { stored, state });
  return state;
}

/** Changes the state of a member's tree, in all tabs of the browser. */
export function changeTree(user: string, change: (state: TreeState) => Partial<TreeState>): void {
  const before = read(user);
  const state = { ...before, ...change(before) };
  const text = JSON.stringify({ ...state, open: state.open.slice(-MOST) });
  try {
    localStorage.setItem(keyOf(user), text);
    known.set(user, { stored: text, state });
  } catch {
    known.set(user, { stored: null, state });
  }
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
};

export const useTreeState = (user: string): TreeState =>
  useSyncExternalStore(
    subscribe,
    () => read(user),
    () => START,
  );
