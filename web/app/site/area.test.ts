import { afterEach, expect, test, vi } from 'vitest';
import { offeredHere } from './area.ts';

type Reply = boolean | 'unreachable' | 'broken' | 'silent';

/** Regions by origin, with the reply of each. */
function regions(replies: Readonly<Record<string, Reply>>): typeof globalThis.fetch {
  return (url, init) => {
    const reply = replies[new URL(url as string).origin];
    if (reply === 'unreachable') return Promise.reject(new TypeError('failed'));
    if (reply === 'broken') return Promise.resolve(new Response('', { status: 502 }));
    if (reply === 'silent')
      return new Promise((_, reject) => {
        init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason as Error));
      });
    return Promise.resolve(Response.json({ accessible: reply }));
  };
}
const [ONE, TWO] = ['https://one.example', 'https://two.example'];
const ask = (one: Reply, two: Reply): ReturnType<typeof offeredHere> =>
  offeredHere([ONE!, TWO!], { fetch: regions({ [ONE!]: one, [TWO!]: two }) });

afterEach(() => vi.restoreAllMocks());

test.each([
  ['a page waits five seconds for its regions', { anew: false }, 5_000],
  ['who asks again waits ten', { anew: true }, 10_000],
])('%s', async (_, asking, patience) => {
  const timeUp = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(timeUp.signal);
  const answer = offeredHere([ONE!], { ...asking, fetch: regions({ [ONE!]: 'silent' }) });
  expect(timeout).toHaveBeenCalledWith(patience);
  timeUp.abort();
  expect(await answer).toBe('unknown');
});

test.each<[string, Reply, Reply, 'yes' | 'no' | 'unknown']>([
  ['one region that says yes', false, true, 'yes'],
  ['a yes before a region that says nothing', 'silent', true, 'yes'],
  ['regions that all refuse', false, false, 'no'],
  ['a refusal beside a region that is down', false, 'unreachable', 'no'],
  ['regions that are all down', 'broken', 'unreachable', 'unknown'],
])('with %s', async (_, one, two, expected) => {
  expect(await ask(one, two)).toBe(expected);
});
