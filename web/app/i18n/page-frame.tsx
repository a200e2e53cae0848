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

/** What is fixed for the life of a document. The server writes it into the page, the browser starts from it. */
export interface PageFacts {
  readonly locale: Locale;
  /** What the browser accepts best: the language where neither an address nor a choice names one. */
  readonly accepted: Locale;
  /** IANA name as the browser told it by cookie; UTC on the very first visit. */
  readonly timeZone: string;
  /** When the server rendered, in ms; what "now" means for the first render on both sides. */
  readonly now: number;
  readonly theme: Theme;
  /** Public origin of the site. */
  readonly origin: string;
  /** Origins of the API, empty for the page's own. */
  readonly origins: readonly string[];
  /** Origins of pages that may show these inside themselves, beside our own. */
  readonly framedBy: readonly string[];
  /** Whether the operator wants visits counted. */
  readonly isCounting: boolean;
}

export interface PageFrameValue extends PageFacts {
  readonly catalogue: Catalogue;
  /** Empty in the browser, which hides it from pages. */
  readonly nonce: string;
}

const PageFrameContext = createContext<PageFrameValue | null>(null);

const InBrowserContext = createContext(false);

/** Stands outside the router, so that even the page of a failed request knows its language. */
export function PageFrame({ value, children }: { value: PageFrameValue; children: ReactNode }) {
  const [isInBrowser, setInBrowser] = useState(false);
  // What hangs on it is drawn piece by piece, between what somebody presses meanwhile.
  useEffect(() => startTransition(() => setInBrowser(true)), []);
  return (
    <PageFrameContext value={value}>
      <InBrowserContext value={isInBrowser}>{children}</InBrowserContext>
    </PageFrameContext>
  );
}

/**
 * Around what React comes to later than to the rest of the page: that, too, first draws what the server drew, and is of
 * the browser once React has come to it. What is new in the browser is of it at once.
 */
export function HydratedLater({ children }: { children: ReactNode }) {
  const [isHydrated, setHydrated] = useState(useContext(InBrowserContext));
  // The same piece as before where only the page around it came to the browser: a change would have to wait for what is
  // not here yet, and React forgets who waits so.
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

/** False on the server and while hydrating, true soon after and from then on: for what only a browser can draw. */
export const useIsBrowser = (): boolean => useContext(InBrowserContext);

export function usePageFrame(): PageFrameValue {
  const frame = useContext(PageFrameContext);
  if (!frame) throw new Error('rendered outside of PageFrame');
  return frame;
}

/** Where the facts stand in the document. */
export const FACTS_ID = 'page-facts';
