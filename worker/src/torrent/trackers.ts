import { setTimeout as sleep } from 'node:timers/promises';
import type { Announcement, Answer } from './announcement.ts';
import type { Http } from './http.ts';
import { askHttpTracker } from './http-tracker.ts';
import { askUdpTracker } from './udp-tracker.ts';

export interface Trackers {
  /** Stops announcing, and sends a last `stopped` event to trackers that answer quickly. */
  leave(): Promise<void>;
}

const LEAST_SECONDS = 60;
const MOST_SECONDS = 3600;
const USUAL_SECONDS = 1800;
const FIRST_RETRY_SECONDS = 15;
const TIMEOUT_MS = 25_000;
const GOODBYE_MS = 800;

export interface AnnounceOptions {
  readonly http: Http;
  tell(): Omit<Announcement, 'event'>;
  found(peer: string): void;
  /** Returns whether there are no peers; then trackers are asked more often. */
  isLonely(): boolean;
}

/** Announces to trackers at intervals, and calls `found` with the peers that they return. */
export function announceTo(
  trackers: readonly string[],
  { http, tell, found, isLonely }: AnnounceOptions,
): Trackers {
  const leaving = new AbortController();
  const greeted = new Set<string>();

  const ask = (tracker: string, event: Announcement['event'], signal: AbortSignal): Promise<Answer> => {
    const announcement = event ? { ...tell(), event } : tell();
    return tracker.startsWith('udp:')
      ? askUdpTracker(tracker, announcement, signal)
      : askHttpTracker(tracker, announcement, http, signal);
  };

  async function keepAsking(tracker: string): Promise<void> {
    let retry = FIRST_RETRY_SECONDS;
    while (!leaving.signal.aborted) {
      let pause = retry;
      try {
        const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(TIMEOUT_MS)]);
        const { seconds = USUAL_SECONDS, peers } = await ask(
          tracker,
          greeted.has(tracker) ? undefined : 'started',
          signal,
        );
        greeted.add(tracker);
        if (leaving.signal.aborted) return;
        for (const peer of peers) found(peer);
        pause = Math.min(Math.max(seconds, LEAST_SECONDS), MOST_SECONDS);
        retry = FIRST_RETRY_SECONDS;
      } catch {
        // An unreachable tracker is not an error: it is retried, and there are others.
        retry = Math.min(retry * 2, MOST_SECONDS);
      }
      await rest(pause);
    }
  }

  async function rest(seconds: number): Promise<void> {
    for (let left = seconds; left > 0 && !leaving.signal.aborted; left -= LEAST_SECONDS) {
      const pause = Math.min(left, LEAST_SECONDS) * 1000;
      await sleep(pause, undefined, { signal: leaving.signal, ref: false }).catch(() => {});
      if (isLonely()) return;
    }
  }

  for (const tracker of trackers) void keepAsking(tracker);
  return {
    async leave() {
      leaving.abort();
      const signal = AbortSignal.timeout(GOODBYE_MS);
      await Promise.all([...greeted].map((tracker) => ask(tracker, 'stopped', signal).catch(() => {})));
    },
  };
}
