import {
  createContext,
  startTransition,
  Suspense,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  useState,
  type ReactNode,
} from 'react';
import type { Locale } from '@bowerbird/contract';
import type { Catalogue } from './catalogue.ts';

export const THEMES = ['light', 'dark', 'system'] as const;
export type Theme = (typeof THEMES)[number];

/**
 * Facts that don't change for the lifetime of a document. The server writes them into the page, and the
 * browser reads them from there.
 */
export interface PageFacts {
  readonly locale: Locale;
  /** Language that the browser prefers: used if neither an address nor a setting selects one. */
  readonly accepted: Locale;
  /** IANA name from a cookie set by the browser; UTC on the very first visit. */
  readonly timeZone: string;
  /** Time of the server's render, in ms; the "now" of the first render on both sides. */
  readonly now: number;
  readonly theme: Theme;
  /** Public origin of the site. */
  readonly origin: string;
  /** Origins of the API; empty for the page's own. */
  readonly origins: readonly string[];
  /** Other origins whose pages may embed these, besides our own. */
  readonly framedBy: readonly string[];
  /** True if the operator counts visits. */
  readonly isCounting: boolean;
}

export interface PageFrameValue extends PageFacts {
  readonly catalogue: Catalogue;
  /** Empty in the browser, which hides the nonce from pages. */
  readonly nonce: string;
}

const PageFrameContext = createContext<PageFrameValue | null>(null);

const InBrowserContext = createContext(false);

/** Wraps the router, so that even the page of a failed request knows its language. */
export function PageFrame({ value, children }: { value: PageFrameValue; children: ReactNode }) {
  const [isInBrowser, setInBrowser] = useState(false);
  // Renders the dependents in slices, so that user input isn't blocked.
  useEffect(() => startTransition(() => setInBrowser(true)), []);
  return (
    <PageFrameContext value={value}>
      <InBrowserContext value={isInBrowser}>{children}</InBrowserContext>
    </PageFrameContext>
  );
}

/**
 * Wraps a part of the page that React hydrates later than the rest: this part, too, first renders the
 * server's output, and counts as in the browser once React has hydrated it. Parts first rendered in the
 * browser count as such at once.
 */
export function HydratedLater({ children }: { children: ReactNode }) {
  const [isHydrated, setHydrated] = useState(useContext(InBrowserContext));
  // Reuses the same element if only the surrounding page is hydrated: a change would have to wait for code
  // that isn't loaded yet, and React drops components that wait this way.
  const boundary = useMemo(
    () => (
      <Suspense>
        {children}
        <Arrival onArrived={() => setHydrated(true)} />
      </Suspense>
    ),
    [children],
  );
  return <InBrowserContext value={isHydrated}>{boundary}</InBrowserContext>;
}

function Arrival({ onArrived }: { onArrived: () => void }) {
  const arrive = useEffectEvent(onArrived);
  useEffect(() => startTransition(() => arrive()), []);
  return null;
}

/**
 * False on the server and during hydration, and true from shortly afterward: for content that only a browser
 * can render.
 */
export const useIsBrowser = (): boolean => useContext(InBrowserContext);

export function usePageFrame(): PageFrameValue {
  const frame = useContext(PageFrameContext);
  if (!frame) throw new Error('rendered outside of PageFrame');
  return frame;
}

/** Id of the document's element that contains the facts. */
export const FACTS_ID = 'page-facts';
