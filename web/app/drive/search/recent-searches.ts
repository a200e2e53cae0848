import { useSyncExternalStore } from 'react';

/** Most searches kept for a member, and the longest text of one. */
const MOST = 10;
const LONGEST = 200;
const NONE: readonly string[] = [];

const keyOf = (user: string): string => `pp_searches_${user}`;
const listeners = new Set<() => void>();
/** Last list of each member: React renders again for every new one. */
const known = new Map<string, { readonly stored: string | null; readonly searches: readonly string[] }>();

/** Searches of a member in this browser, the most recent first; the same list until it changes. */
export function recentSearches(user: string): readonly string[] {
  try {
    const stored = localStorage.getItem(keyOf(user));
    const last = known.get(user);
    if (last && last.stored === stored) return last.searches;
    const parsed: unknown = JSON.parse(stored ?? '[]');
    const searches = Array.isArray(parsed)
      ? parsed.filter((one): one is string => typeof one === 'string' && one !== '').slice(0, MOST)
      : NONE;
    known.set(user, { stored, searches });
    return searches;
  } catch {
    return NONE;
  }
}

function write(user: string, searches: readonly string[]): void {
  try {
    if (searches.length === 0) localStorage.removeItem(keyOf(user));
    else localStorage.setItem(keyOf(user), JSON.stringify(searches));
  } catch {
    // Without storage, nothing is remembered.
  }
  for (const listener of listeners) listener();
}

/** Keeps a member's search in this browser, as the most recent one. */
export function rememberSearch(user: string, text: string): void {
  const search = text.trim();
  if (search === '' || search.length > LONGEST) return;
  write(user, [search, ...recentSearches(user).filter((one) => one !== search)].slice(0, MOST));
}

export function forgetSearch(user: string, text: string): void {
  write(
    user,
    recentSearches(user).filter((one) => one !== text),
  );
}

export const forgetSearches = (user: string): void => write(user, NONE);

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('storage', listener);
  };
};

/** A member's last searches in this browser, the most recent first; none on the server. */
export const useRecentSearches = (user: string): readonly string[] =>
  useSyncExternalStore(
    subscribe,
    () => recentSearches(user),
    () => NONE,
  );
