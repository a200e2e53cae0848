import { LIVE_TOPICS, type LiveTopic } from '@bowerbird/contract';
import { createLiveSource, type LiveSource } from './live-source.ts';

type Listener = (topics: ReadonlySet<LiveTopic>) => void;

/** Hidden for so long, a tab lets go of its events; when it is shown again, it learns what it missed. */
const HIDDEN_MS = 5 * 60_000;
/** The page comes first. */
const IDLE_MS = 2_000;

const listeners = new Set<Listener>();
let source: LiveSource | undefined;
let hiding: ReturnType<typeof setTimeout> | undefined;
let isAway = false;

function tell(topics: readonly LiveTopic[]): void {
  const told = new Set(topics);
  for (const listener of [...listeners]) listener(told);
}

function look(): void {
  source?.want(listeners.size > 0 && !isAway && navigator.onLine);
}

function watchTab(signal: AbortSignal): void {
  const leave = (): void => {
    isAway = true;
    look();
  };
  const come = (): void => {
    clearTimeout(hiding);
    isAway = false;
    look();
  };
  document.addEventListener(
    'visibilitychange',
    () => {
      clearTimeout(hiding);
      if (document.visibilityState === 'visible') come();
      else hiding = setTimeout(leave, HIDDEN_MS);
    },
    { signal },
  );
  // A page that the browser sets aside must not keep the stream from other tabs.
  addEventListener('pagehide', leave, { signal });
  addEventListener('pageshow', come, { signal });
  document.addEventListener('freeze', leave, { signal });
  document.addEventListener('resume', come, { signal });
  addEventListener('online', look, { signal });
  addEventListener('offline', look, { signal });
}

const soon = (work: () => void): void => {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(work, { timeout: IDLE_MS });
  else setTimeout(work, IDLE_MS / 2);
};

/** Sleep stops one of the clocks in some browsers, and people set the other. */
const sinceRequest = (): number => Math.max(performance.now(), Date.now() - performance.timeOrigin);

/**
 * Follows the account of the signed-in member. Returns a function that stops following it, for when they sign out or
 * another member signs in.
 */
export function followAccount(): () => void {
  const stopped = new AbortController();
  const { signal } = stopped;
  soon(() => {
    if (signal.aborted) return;
    source = createLiveSource(
      {
        open: (url) => new EventSource(url),
        locks: navigator.locks,
        channel: typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('pp_live'),
        now: sinceRequest,
        random: Math.random,
      },
      // When the session has ended, the next calls find that out, and the page asks to sign in.
      { change: tell, end: () => tell(LIVE_TOPICS) },
    );
    watchTab(signal);
    look();
  });
  return () => {
    stopped.abort();
    source?.close();
    source = undefined;
  };
}

/** Calls the listener with what has changed, until the returned function is called. */
export function onLive(listener: Listener): () => void {
  listeners.add(listener);
  look();
  return () => {
    listeners.delete(listener);
    look();
  };
}

/** Resolves when one of the topics has changed, or after `mostMs` at the latest: a stream may have been lost. */
export function untilLive(topic: LiveTopic, mostMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const stop = onLive((topics) => topics.has(topic) && done());
    const timer = setTimeout(done, mostMs);
  });
}
