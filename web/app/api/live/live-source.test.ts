import { LIVE_TOPICS, type LiveTopic } from '@bowerbird/contract';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createLiveSource, type LiveBrowser, type LiveSource } from './live-source.ts';

/** A browser with one lock and one channel for all of its tabs, whose streams the test controls. */
function browserWithTabs() {
  const streams: FakeStream[] = [];
  const tabs = new Set<(event: MessageEvent) => void>();
  const waiting: { run: () => Promise<void> }[] = [];
  let isHeld = false;

  const next = (): void => {
    const first = waiting.shift();
    if (!first) return;
    isHeld = true;
    void first.run().finally(() => {
      isHeld = false;
      next();
    });
  };

  class FakeStream extends EventTarget {
    readonly url: string;
    isClosed = false;
    constructor(url: string) {
      super();
      this.url = url;
      streams.push(this);
    }
    close(): void {
      this.isClosed = true;
    }
    send(name: string, data: object = {}): void {
      this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) }));
    }
    fail(): void {
      this.dispatchEvent(new Event('error'));
    }
  }

  function tab(): { source: LiveSource; told: LiveTopic[][]; ends: number[] } {
    let own: ((event: MessageEvent) => void) | undefined;
    const told: LiveTopic[][] = [];
    const ends: number[] = [];
    const browser: LiveBrowser = {
      open: (url) => new FakeStream(url) as unknown as EventSource,
      locks: {
        request: (_name: string, { signal }: LockOptions, work: () => Promise<void>) =>
          new Promise((resolve, reject) => {
            const entry = { run: async () => resolve(await work()) };
            signal?.addEventListener('abort', () => {
              const at = waiting.indexOf(entry);
              if (at !== -1) waiting.splice(at, 1);
              reject(new Error('aborted'));
            });
            waiting.push(entry);
            if (!isHeld) next();
          }),
      } as unknown as LiveBrowser['locks'],
      channel: {
        postMessage(data: unknown) {
          for (const listener of tabs) if (listener !== own) listener(new MessageEvent('message', { data }));
        },
        addEventListener(_name: string, listener: (event: MessageEvent) => void) {
          own = listener;
          tabs.add(listener);
        },
        close: () => void (own && tabs.delete(own)),
      } as unknown as LiveBrowser['channel'],
      now: () => performance.now(),
      random: () => 0.5,
    };
    const source = createLiveSource(browser, {
      change: (topics) => told.push([...topics]),
      end: () => ends.push(1),
    });
    return { source, told, ends };
  }
  return { tab, streams };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());
const rest = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('tabs share one stream, and another tab takes it over when its tab leaves', async () => {
  const { tab, streams } = browserWithTabs();
  const [one, two] = [tab(), tab()];
  one.source.want(true);
  two.source.want(true);
  await rest(0);
  expect(streams).toHaveLength(1);
  streams[0]!.send('change', { topics: ['files'] });
  expect([one.told, two.told]).toEqual([[['files']], [['files']]]);

  await rest(5_000);
  one.source.close();
  await rest(0);
  expect(streams[0]!.isClosed).toBe(true);
  expect(streams).toHaveLength(2);
  // It asks for what happened since the last event, which it heard from the other tab.
  expect(streams[1]!.url).toBe('/drive/v1/live?away=5000');
  streams[1]!.send('change', { topics: ['tasks'] });
  expect(two.told).toEqual([['files'], ['tasks']]);
  expect(one.told).toEqual([['files']]);
});

test('a lost stream is opened again, later each time, and says for how long it was away', async () => {
  const { tab, streams } = browserWithTabs();
  const { source, told } = tab();
  source.want(true);
  streams[0]!.send('beat');
  streams[0]!.fail();
  await rest(999);
  expect(streams).toHaveLength(1);
  await rest(1);
  expect(streams[1]!.url).toBe('/drive/v1/live?away=1000');
  streams[1]!.fail();
  await rest(2_000);
  expect(streams).toHaveLength(3);
  expect(told).toEqual([]);
  // Streams don't get through: the page is refreshed with each later attempt.
  streams[2]!.fail();
  expect(told).toEqual([[...LIVE_TOPICS]]);
  await rest(4_000);
  streams[3]!.send('beat');
  streams[3]!.fail();
  await rest(1_000);
  expect(streams).toHaveLength(5);
  expect(told).toHaveLength(1);
  source.close();
  await rest(600_000);
  expect(streams).toHaveLength(5);
});

test('a stream without beats counts as lost', async () => {
  const { tab, streams } = browserWithTabs();
  const { source } = tab();
  source.want(true);
  for (let beat = 0; beat < 5; beat++) {
    await rest(20_000);
    streams[0]!.send('beat');
  }
  expect(streams).toHaveLength(1);
  await rest(52_000);
  expect(streams[0]!.isClosed).toBe(true);
  expect(streams).toHaveLength(2);
  source.close();
});

test('after a resync everything is told once, at a time of the client’s own', async () => {
  const { tab, streams } = browserWithTabs();
  const { source, told } = tab();
  source.want(true);
  streams[0]!.send('resync', { within_ms: 4000 });
  await rest(1_999);
  expect(told).toEqual([]);
  await rest(1);
  expect(told).toEqual([[...LIVE_TOPICS]]);
  source.close();
});

test('a tab that joins or returns learns what it missed from the tab with the stream', async () => {
  const { tab, streams } = browserWithTabs();
  const [one, two] = [tab(), tab()];
  one.source.want(true);
  two.source.want(true);
  two.source.want(false);
  await rest(60_000);
  streams.at(-1)!.send('change', { topics: ['shares'] });
  expect(two.told).toEqual([]);
  await rest(1_000);
  two.source.want(true);
  expect(two.told).toEqual([['shares']]);
  one.source.close();
  two.source.close();
});

test('when the session has ended, no tab opens a stream again', async () => {
  const { tab, streams } = browserWithTabs();
  const [one, two] = [tab(), tab()];
  one.source.want(true);
  two.source.want(true);
  await rest(0);
  streams[0]!.send('end');
  await rest(120_000);
  expect(streams).toHaveLength(1);
  expect([one.ends, two.ends]).toEqual([[1], [1]]);
  one.source.want(true);
  expect(streams).toHaveLength(1);
});
