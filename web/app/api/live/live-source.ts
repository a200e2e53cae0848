import { LIVE_BEAT_MS, LIVE_PATH, LIVE_TOPICS, type LiveEvents, type LiveTopic } from '@bowerbird/contract';

/** Message from the tab with the stream to the others, or the question of one that joins them. */
export type LiveMessage =
  | { readonly topics: readonly LiveTopic[] }
  /** Nothing has happened. */
  | { readonly beat: true }
  /** The session has ended. */
  | { readonly end: true }
  /** A tab that knows nothing of the last milliseconds asks what has changed. */
  | { readonly away: number };

/** Parts of the browser that a tab needs; tests replace them. */
export interface LiveBrowser {
  open(url: string): EventSource;
  /** Undefined if the browser can't share a stream among its tabs: each then has one of its own. */
  readonly locks: Pick<LockManager, 'request'> | undefined;
  readonly channel: Pick<BroadcastChannel, 'postMessage' | 'addEventListener' | 'close'> | undefined;
  /** Milliseconds since the page was requested, also while the computer sleeps. */
  now(): number;
  random(): number;
}

/** Events of the member's account, over a stream that all tabs of the browser share. */
export interface LiveSource {
  /** The tab wants events, or doesn't: it is hidden, offline, or nobody listens. */
  want(isWanted: boolean): void;
  /** Ends it for good. */
  close(): void;
}

const LOCK = 'pp_live';
/** A stream without events for so long is lost. */
const SILENT_MS = 2.5 * LIVE_BEAT_MS;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** Failures after which each attempt refreshes the page instead: some proxies let no stream through. */
const PATIENT_FAILURES = 3;

export function createLiveSource(
  browser: LiveBrowser,
  { change, end }: { change: (topics: readonly LiveTopic[]) => void; end: () => void },
): LiveSource {
  const { locks, channel } = browser;
  /** Until when this tab knows of all changes; its page was read after it was requested. */
  let knownAt = 0;
  let leaving: AbortController | undefined;
  /** Answers a tab that joins; only the tab with the stream does. */
  let answer: ((awayMs: number) => void) | undefined;
  let isOver = false;

  const awayMs = (): number => Math.max(0, Math.ceil(browser.now() - knownAt));

  function hear(message: LiveMessage): void {
    if (isOver) return;
    if ('end' in message) {
      isOver = true;
      leaving?.abort();
      end();
    } else if ('away' in message) answer?.(message.away);
    else if (leaving) {
      // A tab that doesn't want events will ask for them when it does.
      knownAt = browser.now();
      if ('topics' in message) change(message.topics);
    }
  }

  function pass(message: LiveMessage): void {
    channel?.postMessage(message);
    hear(message);
  }

  /** Holds the stream until the tab leaves. */
  function lead(left: AbortSignal): Promise<void> {
    const completeFrom = knownAt;
    const changedAt = new Map<LiveTopic, number>();
    let source: EventSource | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let resyncing: ReturnType<typeof setTimeout> | undefined;
    let failures = 0;

    function tell(topics: readonly LiveTopic[]): void {
      for (const topic of topics) changedAt.set(topic, browser.now());
      pass({ topics });
    }

    answer = (away) => {
      const from = browser.now() - away;
      const missed = LIVE_TOPICS.filter(
        (topic) => from < completeFrom || (changedAt.get(topic) ?? Number.NEGATIVE_INFINITY) >= from,
      );
      if (missed.length > 0) channel?.postMessage({ topics: missed } satisfies LiveMessage);
    };

    const later = (work: () => void, ms: number): void => {
      clearTimeout(timer);
      timer = setTimeout(work, ms);
    };

    function lose(): void {
      source?.close();
      failures += 1;
      if (failures >= PATIENT_FAILURES) tell(LIVE_TOPICS);
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (failures - 1));
      later(connect, pause * (0.5 + browser.random()));
    }

    function connect(): void {
      const opened = browser.open(`${LIVE_PATH}?away=${awayMs()}`);
      source = opened;
      later(lose, SILENT_MS);
      const on = <Name extends keyof LiveEvents>(name: Name, react: (data: LiveEvents[Name]) => void): void =>
        opened.addEventListener(name, ({ data }: MessageEvent<string>) => {
          failures = 0;
          later(lose, SILENT_MS);
          react(JSON.parse(data) as LiveEvents[Name]);
        });
      on('change', ({ topics }) => tell(topics));
      on('beat', () => pass({ beat: true }));
      on('end', () => pass({ end: true }));
      on('resync', ({ within_ms: withinMs = 0 }) => {
        clearTimeout(resyncing);
        resyncing = setTimeout(() => tell(LIVE_TOPICS), withinMs * browser.random());
      });
      opened.addEventListener('error', lose);
    }

    connect();
    return new Promise((resolve) => {
      left.addEventListener('abort', () => {
        answer = undefined;
        source?.close();
        clearTimeout(timer);
        clearTimeout(resyncing);
        resolve();
      });
    });
  }

  function join(): void {
    leaving = new AbortController();
    const { signal } = leaving;
    if (!locks) return void lead(signal);
    // Rejects when the tab leaves before it gets the lock.
    locks.request(LOCK, { signal }, () => (signal.aborted ? undefined : lead(signal))).catch(() => undefined);
    if (!answer) channel?.postMessage({ away: awayMs() } satisfies LiveMessage);
  }

  channel?.addEventListener('message', ({ data }: MessageEvent<LiveMessage>) => hear(data));

  return {
    want(isWanted) {
      if (isOver || isWanted === (leaving !== undefined)) return;
      if (isWanted) join();
      else {
        leaving?.abort();
        leaving = undefined;
      }
    },
    close() {
      isOver = true;
      leaving?.abort();
      channel?.close();
    },
  };
}
