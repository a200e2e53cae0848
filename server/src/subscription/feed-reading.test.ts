import { subscriptionApi, type Subscription } from '@bowerbird/contract';
import { describe, expect, test, vi } from 'vitest';
import { eachDatabase, openOrigin, type Answer, type Member, type Origin } from '../../testing/index.ts';
import {
  publish,
  subscribe,
  settled,
  run,
  itemsOf,
  statesOf,
  tasksOf,
  eventually,
  open,
} from '../../testing/following.ts';

// The tests turn the clock, but wait for jobs in real time.
vi.setConfig({ testTimeout: 60_000 });

const HASH = '0123456789abcdef0123456789abcdef0123456';

eachDatabase((dialect) => {
  describe('a hostile feed', () => {
    const failure = async (member: Member, origin: Origin, answer: Answer): Promise<Subscription> => {
      origin.put('/feed', answer);
      const { id } = await subscribe(member, origin.at('/feed'), { take_existing: true });
      return settled(member, id);
    };

    test('is rejected if it is not a feed, far too long, or endless, and is then retried less often', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const ann = await app.signUp('ann');
      const page = await failure(ann, origin, (_, response) => response.end('<html><p>Hello</html>'));
      expect(page).toMatchObject({ error: 'feed_invalid', name: expect.stringContaining('127.0.0.1') });
      const large = await failure(ann, origin, (_, response) =>
        response.writeHead(200, { 'content-length': 100 * 1024 * 1024 }).write('<rss>'),
      );
      expect(large.error).toBe('source_too_large');
      const endless = await failure(ann, origin, (_, response) => {
        const pour = (): void => {
          while (!response.destroyed && response.write('<item/>'.repeat(1000)));
          response.once('drain', pour);
        };
        response.writeHead(200).write('<rss><channel>');
        pour();
      });
      expect(endless.error).toBe('source_too_large');
      const first = Date.parse(endless.next_run_time) - Date.parse(endless.last_run_time);
      const second = await run(ann, endless.id);
      expect(first).toBe(15 * 60_000);
      expect(Date.parse(second.next_run_time) - Date.parse(second.last_run_time)).toBe(30 * 60_000);
    });

    test('reaches no private address and runs nothing: the item, or its task, fails', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const ann = await app.signUp('ann');
      publish(origin, [
        ['script', '<link>javascript:alert(1)</link>'],
        ['inner', '<link>http://10.0.0.1/secret.zip</link>'],
        ['magnet', `<link>magnet:?xt=urn:btih:${HASH}</link>`],
        ['fine'],
      ]);
      const { id } = await subscribe(ann, origin.at('/feed'), { take_existing: true });
      expect(await settled(ann, id)).toMatchObject({ error: '' });
      expect(await statesOf(ann, id)).toEqual({
        script: 'failed',
        inner: 'taken',
        magnet: 'failed',
        fine: 'taken',
      });
      const script = (await itemsOf(ann, id)).find(({ title }) => title === 'script')!;
      expect(script).toMatchObject({ error: 'link_unsupported', url: '', task_id: '' });
      const inner = await eventually(async () =>
        (await tasksOf(ann)).find(({ phase }) => phase === 'PHASE_TYPE_ERROR'),
      );
      expect(inner.message).toContain('isn’t on the public internet');
    });

    test('a feed at a private address is not read', async () => {
      await using app = await open(dialect, { FETCH_ALLOW: '' });
      await using origin = await openOrigin();
      const ann = await app.signUp('ann');
      publish(origin, [['a']]);
      const { id } = await subscribe(ann, origin.at('/feed'));
      expect((await settled(ann, id)).error).toBe('link_forbidden');
      expect(origin.asked).toEqual([]);
    });
  });

  describe('a feed preview', () => {
    test('lists the items and which match the filters, and downloads nothing', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const ann = await app.signUp('ann');
      publish(origin, [['blue'], ['red']]);
      const preview = await ann.call(subscriptionApi.preview, {
        body: { url: origin.at('/feed'), filters: { include: ['BLUE'] } },
      });
      expect(preview).toMatchObject({
        title: 'Blue',
        taken_count: 1,
        items: [
          { title: 'blue', taken: true, size: '5000', url: origin.at('/files/blue.bin') },
          { title: 'red', taken: false },
        ],
      });
      expect(await tasksOf(ann)).toEqual([]);
    });

    test('finds the feed of a given page', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const ann = await app.signUp('ann');
      publish(origin, [['a']]);
      origin.put('/blog', (_, response) =>
        response.end('<html><link rel="alternate" type="application/rss+xml" href="/feed"></html>'),
      );
      const { url } = await ann.call(subscriptionApi.preview, { body: { url: origin.at('/blog') } });
      expect(url).toBe(origin.at('/feed'));
      const { id } = await subscribe(ann, origin.at('/blog'));
      expect(await settled(ann, id)).toMatchObject({ url: origin.at('/feed'), name: 'Blue' });
    });

    test('reports what is wrong', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const ann = await app.signUp('ann');
      const look = (url: string): Promise<unknown> => ann.call(subscriptionApi.preview, { body: { url } });
      await expect(look(origin.at('/nothing'))).rejects.toThrow('no longer there');
      await expect(look('javascript:alert(1)')).rejects.toThrow('isn’t supported');
      origin.put('/page', (_, response) => response.end('<html></html>'));
      await expect(look(origin.at('/page'))).rejects.toThrow('no feed at this address');
      await expect(app.visitor.call(subscriptionApi.preview, { body: { url: 'x' } })).rejects.toThrow();
    });
  });
});
