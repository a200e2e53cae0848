import { createContext, useContext } from 'react';
import type { RunningActivity } from '#app/content/activities.server.ts';

/** Contents that the public pages link to. */
interface CollectionsValue {
  readonly hasHelp: boolean;
  readonly hasFaq: boolean;
  readonly hasBlog: boolean;
  /** Names of the policies. */
  readonly policies: readonly string[];
  /** Texts with a page of their own. */
  readonly pages: readonly string[];
  /** Current activities. */
  readonly activities: readonly RunningActivity[];
}

/** Pages of content/page, which exist only if the server has their texts. */
export const TEXT_PAGES: ReadonlySet<string> = new Set([
  '/help',
  '/tv-help',
  '/install-apk-troubleshooting',
  '/check-in-guide',
]);

const CollectionsContext = createContext<CollectionsValue>({
  hasHelp: false,
  hasFaq: false,
  hasBlog: false,
  policies: [],
  pages: [],
  activities: [],
});

export const Collections = CollectionsContext.Provider;

export const useActivities = (): readonly RunningActivity[] => useContext(CollectionsContext).activities;

/**
 * Returns a function that returns true if a path leads to a page: pages of the library exist only if it has
 * texts for them.
 */
export function useHasPage(): (path: string) => boolean {
  const { hasHelp, hasFaq, hasBlog, policies, pages } = useContext(CollectionsContext);
  return (path) => {
    if (path === '/help-center') return hasHelp;
    if (path === '/faq') return hasFaq;
    if (path === '/blog') return hasBlog;
    if (path === '/policy/update') return policies.length > 0;
    if (TEXT_PAGES.has(path)) return pages.includes(path.slice(1));
    const policy = /^\/policy\/([^/]+)$/.exec(path)?.[1];
    return policy === undefined || policies.includes(policy);
  };
}
