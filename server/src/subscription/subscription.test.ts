import { setTimeout as sleep } from 'node:timers/promises';
import { driveApi, SUBSCRIPTIONS, subscriptionApi, type Subscription } from '@bowerbird/contract';
import { describe, expect, test, vi } from 'vitest';
import { openApp } from '../app.ts';
import {
  bytes,
  eachDatabase,
  openOrigin,
  person,
  signIn,
  turnableClock,
  type Answer,
  type Member,
} from '../../testing/index.ts';
import {
  publish,
  feedOf,
  subscribe,
  find,
  settled,
  run,
  itemsOf,
  statesOf,
  tasksOf,
  eventually,
  namesIn,
  folder,
  arrived,
  open,
  type Asked,
  type Item,
} from '../../testing/following.ts';

// Clocks are turned, but queues are looked at in real time.
vi.setConfig({ testTimeout: 60_000 });

eachDatabase((dialect) => {
  describe('a followed feed', () => {
    test('downloads new items into the selected folder once, and skips those that were there', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const ann = await app.signUp('ann');
      const parent = await folder(ann, 'Feathers');
      publish(origin, [['old']]);
      const { id, ...begun } = await subscribe(ann, origin.at('/feed'), { parent_id: parent });
      expect(begun).toMatchObject({
        kind: 'feed',
        running: true,
        folder_name: 'Feathers',
        every_minutes: 60,
      });
      expect(await settled(ann, id)).toMatchObject({ name: 'Blue', error: '', taken_count: 0 });
      expect(await statesOf(ann, id)).toEqual({ old: 'existing' });
      publish(origin, [['newest'], ['newer'], ['old']]);
      await run(ann, id);
      await arrived(ann, parent, ['newer.bin', 'newest.bin']);
      for (let again = 0; again < 3; again++) await run(ann, id);
      expect(await tasksOf(ann)).toHaveLength(2);
      expect((await itemsOf(ann, id)).map(({ title, state }) => [title, state])).toEqual([
        ['newest', 'taken'],
        ['newer', 'taken'],
        ['old', 'existing'],
      ]);
      const [item] = await itemsOf(ann, id);
      expect(item).toMatchObject({ phase: 'PHASE_TYPE_COMPLETE', size: '5000' });
      expect((await ann.call(driveApi.get, { params: { id: item!.file_id }, query: {} })).name).toBe(
        'newest.bin',
      );
    });

    test('downloads existing items too if selected, and only those that match the filters', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const ann = await app.signUp('ann');
      publish(origin, [
        ['Bower.S01E02.1080p'],
        ['Bower S01E02 720p'],
        ['Another thing'],
        ['Bower_S01E01_1080p CAM'],
        [
          'Bower 1080p large',
          `<enclosure url="${origin.at('/files/large.bin')}" type="video/mp4" length="9000000000"/>`,
        ],
      ]);
      const { id } = await subscribe(ann, origin.at('/feed'), {
        take_existing: true,
        folder_type: 'DOWNLOAD',
        filters: { include: ['bower s01', '1080P'], exclude: ['cam'], max_size: '1000000000' },
      });
      expect(await settled(ann, id)).toMatchObject({ folder_type: 'DOWNLOAD', folder_name: 'My Pack' });
      expect(await statesOf(ann, id)).toEqual({
        'Bower.S01E02.1080p': 'taken',
        'Bower S01E02 720p': 'taken',
        'Another thing': 'filtered',
        'Bower_S01E01_1080p CAM': 'filtered',
        'Bower 1080p large': 'filtered',
      });
      await ann.call(subscriptionApi.change, {
        params: { id },
        body: { filters: { include: ['another'], exclude: [] } },
      });
      await settled(ann, id);
      expect(await statesOf(ann, id)).toMatchObject({
        'Another thing': 'taken',
        'Bower_S01E01_1080p CAM': 'filtered',
      });
      expect(await tasksOf(ann)).toHaveLength(3);
    });

    test('is read again if its settings change or a run is requested during a run', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const ann = await app.signUp('ann');
      publish(origin, [['blue'], ['green']]);
      const feed = feedOf(origin, [['blue'], ['green']]);
      const reading = Promise.withResolvers<void>();
      const goOn = Promise.withResolvers<void>();
      let reads = 0;
      origin.put('/feed', async (_, response) => {
        reads += 1;
        reading.resolve();
        await goOn.promise;
        response.end(feed);
      });
      const { id } = await subscribe(ann, origin.at('/feed'));
      await reading.promise;
      await ann.call(subscriptionApi.change, { params: { id }, body: { every_minutes: 120 } });
      await ann.call(subscriptionApi.change, { params: { id }, body: { take_existing: true } });
      await ann.call(subscriptionApi.run, { params: { id } });
      goOn.resolve();
      await eventually(async () => reads === 2);
      await settled(ann, id);
      expect(await statesOf(ann, id)).toEqual({ blue: 'taken', green: 'taken' });
      await sleep(500);
      expect(reads).toBe(2);
      expect((await find(ann, id)).running).toBe(false);
    });

    test('is run once at a time, however many processes request it', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const ann = await app.signUp('ann');
      const other = await openApp(app.config, { log: app.log });
      try {
        other.start();
        publish(origin, [['a'], ['b'], ['c'], ['d']]);
        const feed = feedOf(origin, [['a'], ['b'], ['c'], ['d']]);
        let present = 0;
        let most = 0;
        origin.put('/feed', (_, response) => {
          present += 1;
          most = Math.max(most, present);
          setTimeout(() => {
            present -= 1;
            response.end(feed);
          }, 300);
        });
        const { id } = await subscribe(ann, origin.at('/feed'), { take_existing: true });
        const there = person(other.http, ann.headers);
        await Promise.all(
          Array.from({ length: 20 }, (_, n) =>
            (n % 2 ? ann : there).call(subscriptionApi.run, { params: { id } }),
          ),
        );
        await settled(ann, id);
        await sleep(1500);
        expect(most).toBe(1);
        expect(await tasksOf(ann)).toHaveLength(4);
        expect(Object.values(await statesOf(ann, id))).toEqual(['taken', 'taken', 'taken', 'taken']);
      } finally {
        await other.close();
      }
    });

    test('is run at its interval and not earlier, and not while it is paused', async () => {
      const clock = turnableClock();
      await using app = await open(dialect, {}, { clock });
      await using origin = await openOrigin();
      let ann = await app.signUp('ann');
      publish(origin, []);
      const { id } = await subscribe(ann, origin.at('/feed'), { every_minutes: 60 });
      const { next_run_time: next } = await settled(ann, id);
      expect(Date.parse(next)).toBe(clock.now() + 3_600_000);
      const reads = (): number => origin.asked.filter((line) => line === 'GET /feed').length;
      clock.advance(50 * 60_000);
      await sleep(4500);
      expect(reads()).toBe(1);
      clock.advance(10 * 60_000);
      await eventually(async () => reads() === 2);
      await settled(ann, id);
      await ann.call(subscriptionApi.change, { params: { id }, body: { active: false } });
      expect((await find(ann, id)).next_run_time).toBe('');
      clock.advance(3 * 3_600_000);
      await sleep(4500);
      expect(reads()).toBe(2);
      ann = await signIn(app.http, ann);
      await ann.call(subscriptionApi.change, { params: { id }, body: { active: true } });
      await eventually(async () => reads() === 3);
    });

    test('is not downloaded again while it is unchanged', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const ann = await app.signUp('ann');
      const answered: number[] = [];
      const feed: Answer = (request, response) => {
        const status = request.headers['if-none-match'] === '"one"' ? 304 : 200;
        answered.push(status);
        response.writeHead(status, { etag: '"one"' }).end(status === 200 ? feedOf(origin, [['a']]) : '');
      };
      origin.put('/feed', feed);
      const { id } = await subscribe(ann, origin.at('/feed'));
      await settled(ann, id);
      await run(ann, id);
      expect(answered).toEqual([200, 304]);
      expect(await statesOf(ann, id)).toEqual({ a: 'existing' });
      await ann.call(subscriptionApi.change, { params: { id }, body: { take_existing: true } });
      await settled(ann, id);
      expect(answered).toEqual([200, 304, 200]);
      expect(await statesOf(ann, id)).toEqual({ a: 'taken' });
    });

    test('a feed with more new items than today’s task limit continues tomorrow', async () => {
      const clock = turnableClock();
      await using app = await open(dialect, { OFFLINE_DAILY: '2' }, { clock });
      await using origin = await openOrigin();
      let ann = await app.signUp('ann');
      publish(origin, [['c'], ['b'], ['a']]);
      const { id } = await subscribe(ann, origin.at('/feed'), { take_existing: true, every_minutes: 10_080 });
      const today = await settled(ann, id);
      expect(today).toMatchObject({ error: 'task_daily_create_limit', taken_count: 2, waiting_count: 1 });
      expect(today.message).toContain('tomorrow');
      expect(today.next_run_time).toBe('2026-11-28T00:00:00.000+00:00');
      expect(await statesOf(ann, id)).toEqual({ a: 'taken', b: 'taken', c: 'waiting' });
      clock.advance(12 * 3_600_000 + 1000);
      ann = await signIn(app.http, ann);
      await eventually(async () => (await statesOf(ann, id))['c'] === 'taken');
      expect(await settled(ann, id)).toMatchObject({ error: '', waiting_count: 0 });
    });

    test('a feed whose folder was deleted reports an error, and continues in another folder', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const ann = await app.signUp('ann');
      const parent = await folder(ann, 'Gone');
      publish(origin, []);
      const { id } = await subscribe(ann, origin.at('/feed'), { parent_id: parent });
      await settled(ann, id);
      await ann.call(driveApi.trash, { body: { ids: [parent] } });
      publish(origin, [['a']]);
      expect(await run(ann, id)).toMatchObject({ error: 'subscription_folder_gone', folder_name: '' });
      expect(await statesOf(ann, id)).toEqual({ a: 'waiting' });
      await ann.call(subscriptionApi.change, { params: { id }, body: { parent_id: '' } });
      await arrived(ann, '', ['a.bin']);
      expect((await settled(ann, id)).error).toBe('');
    });

    test('a feed whose address changes starts over', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const ann = await app.signUp('ann');
      publish(origin, [['a']]);
      const { id } = await subscribe(ann, origin.at('/feed'));
      await settled(ann, id);
      origin.put('/other', (_, response) => response.end(feedOf(origin, [['b']])));
      await ann.call(subscriptionApi.change, { params: { id }, body: { url: origin.at('/other') } });
      await settled(ann, id);
      expect(await statesOf(ann, id)).toEqual({ b: 'existing' });
    });

    test('lists items that can be downloaded by hand', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const ann = await app.signUp('ann');
      publish(origin, [['a'], ['b']]);
      const { id } = await subscribe(ann, origin.at('/feed'), { filters: { include: ['nothing'] } });
      await settled(ann, id);
      const item = (await itemsOf(ann, id)).find(({ title }) => title === 'b')!;
      await ann.call(subscriptionApi.take, { params: { id }, body: { ids: [item.id, 'unknown'] } });
      await settled(ann, id);
      expect(await statesOf(ann, id)).toEqual({ a: 'existing', b: 'taken' });
      expect(await tasksOf(ann)).toHaveLength(1);
    });

    test('stores which items it took, and prunes the others', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const ann = await app.signUp('ann');
      const batch = (from: number): Item[] =>
        Array.from({ length: 900 }, (_, n): Item => [`n${from + n}`]).toReversed();
      publish(origin, batch(0));
      const { id } = await subscribe(ann, origin.at('/feed'), { filters: { include: ['nothing'] } });
      await settled(ann, id);
      for (const from of [900, 1800, 2700]) {
        publish(origin, batch(from));
        await run(ann, id);
      }
      let count = 0;
      let token = '';
      do {
        const page = await ann.call(subscriptionApi.items, {
          params: { id },
          query: { limit: 500, page_token: token },
        });
        count += page.items.length;
        token = page.next_page_token;
      } while (token !== '');
      expect(count).toBe(900 + SUBSCRIPTIONS.itemsKept);
    });
  });

  describe('a link that is downloaded repeatedly', () => {
    const link = (member: Member, url: string, more: Asked = {}): Promise<Subscription> =>
      subscribe(member, url, { kind: 'link', parent_id: '', take_existing: true, ...more });

    test('is saved as a numbered copy when it has changed, and not otherwise', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const ann = await app.signUp('ann');
      origin.put('/backup.bin', bytes(Buffer.from('one'), { tag: '"1"' }));
      const { id } = await link(ann, origin.at('/backup.bin'));
      await arrived(ann, '', ['backup.bin']);
      await settled(ann, id);
      await run(ann, id);
      expect(await tasksOf(ann)).toHaveLength(1);
      origin.put('/backup.bin', bytes(Buffer.from('two!'), { tag: '"2"' }));
      await run(ann, id);
      await arrived(ann, '', ['backup(1).bin', 'backup.bin']);
      await run(ann, id);
      expect(await tasksOf(ann)).toHaveLength(2);
      expect((await find(ann, id)).taken_count).toBe(2);
    });

    test('a link to a site without versions is not saved again if the content is unchanged', async () => {
      const clock = turnableClock();
      await using app = await open(dialect, {}, { clock });
      await using origin = await openOrigin();
      const ann = await app.signUp('ann');
      const plain =
        (text: string): Answer =>
        (_, response) =>
          response.writeHead(200, { 'content-type': 'application/json' }).end(text);
      origin.put('/data.json', plain('{"n":1}'));
      const { id } = await link(ann, origin.at('/data.json'));
      await arrived(ann, '', ['data.json']);
      const used = (await app.quota.of(app.database, ann.id)).used;
      const complete = async (count: number): Promise<unknown> =>
        eventually(async () => {
          const tasks = await tasksOf(ann);
          return tasks.length === count && tasks.every(({ phase }) => phase === 'PHASE_TYPE_COMPLETE');
        });
      await complete(1);
      clock.advance(1000);
      await run(ann, id);
      await complete(2);
      expect(await namesIn(ann, '')).toEqual(['data.json']);
      expect(await app.quota.of(app.database, ann.id)).toMatchObject({ used, reserved: 0 });
      origin.put('/data.json', plain('{"n":2}'));
      clock.advance(1000);
      await run(ann, id);
      await arrived(ann, '', ['data(1).json', 'data.json']);
      expect(await app.drive.check({ repair: false })).toEqual([]);
    });

    test('a link whose current version isn’t wanted waits for the next one', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const ann = await app.signUp('ann');
      origin.put('/a.bin', bytes(Buffer.from('one'), { tag: '"1"' }));
      const { id } = await link(ann, origin.at('/a.bin'), { take_existing: false });
      await settled(ann, id);
      expect(await tasksOf(ann)).toEqual([]);
      origin.put('/a.bin', bytes(Buffer.from('two'), { tag: '"2"' }));
      await run(ann, id);
      await arrived(ann, '', ['a.bin']);
    });

    test('a link whose file is gone fails with a readable error', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const ann = await app.signUp('ann');
      const { id } = await link(ann, origin.at('/gone.bin'));
      const failed = await settled(ann, id);
      expect(failed).toMatchObject({ error: 'source_not_found' });
      expect(failed.message).toContain('no longer there');
    });
  });

  describe('subscriptions', () => {
    test('are visible to their member only', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const [ann, ben] = [await app.signUp('ann'), await app.signUp('ben')];
      publish(origin, [['a']]);
      const { id } = await subscribe(ann, origin.at('/feed'));
      const params = { id };
      expect(await ben.call(subscriptionApi.list, {})).toEqual({ subscriptions: [] });
      const attempts = [
        () => ben.call(subscriptionApi.change, { params, body: { active: false } }),
        () => ben.call(subscriptionApi.remove, { params }),
        () => ben.call(subscriptionApi.restore, { params }),
        () => ben.call(subscriptionApi.run, { params }),
        () => ben.call(subscriptionApi.items, { params, query: {} }),
        () => ben.call(subscriptionApi.take, { params, body: { ids: ['x'] } }),
      ];
      for (const attempt of attempts)
        await expect(attempt()).rejects.toMatchObject({ id: 'subscription_not_found' });
      const hers = await folder(ann, 'Hers');
      await expect(subscribe(ben, origin.at('/feed'), { parent_id: hers })).rejects.toMatchObject({
        id: 'file_not_found',
      });
    });

    test('can be restored with their state for a day after removal', async () => {
      const clock = turnableClock();
      await using app = await open(dialect, {}, { clock });
      await using origin = await openOrigin();
      let ann = await app.signUp('ann');
      publish(origin, [['a']]);
      const { id } = await subscribe(ann, origin.at('/feed'));
      await settled(ann, id);
      await ann.call(subscriptionApi.remove, { params: { id } });
      expect((await ann.call(subscriptionApi.list, {})).subscriptions).toEqual([]);
      await expect(run(ann, id)).rejects.toThrow('no longer exists');
      await ann.call(subscriptionApi.restore, { params: { id } });
      expect(await statesOf(ann, id)).toEqual({ a: 'existing' });
      await ann.call(subscriptionApi.remove, { params: { id } });
      clock.advance(25 * 3_600_000);
      await sleep(4500);
      ann = await signIn(app.http, ann);
      await expect(ann.call(subscriptionApi.restore, { params: { id } })).rejects.toThrow('no longer exists');
    });

    test('are limited to fifty, and invalid settings are rejected', async () => {
      await using app = await open(dialect);
      const ann = await app.signUp('ann');
      const asleep = { active: false };
      const made = await Promise.allSettled(
        Array.from({ length: 60 }, (_, n) => subscribe(ann, `https://example.org/${n}`, asleep)),
      );
      expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(50);
      await expect(subscribe(ann, 'https://example.org/more', asleep)).rejects.toThrow(
        'your limit of subscriptions: 50',
      );
      const [{ id }, removed] = (await ann.call(subscriptionApi.list, {})).subscriptions as [
        Subscription,
        Subscription,
      ];
      // Restoring a removed subscription requires that the limit is not reached.
      await ann.call(subscriptionApi.remove, { params: { id: removed.id } });
      const { id: instead } = await subscribe(ann, 'https://example.org/instead', asleep);
      const restore = () => ann.call(subscriptionApi.restore, { params: { id: removed.id } });
      await expect(restore()).rejects.toMatchObject({ id: 'subscription_limit' });
      await ann.call(subscriptionApi.remove, { params: { id: instead } });
      await restore();
      for (const body of [
        { every_minutes: 14 },
        { every_minutes: 10_081 },
        { filters: { min_size: '-1' } },
        { filters: { include: [''] } },
        { url: 'magnet:?xt=1' },
      ])
        await expect(ann.call(subscriptionApi.change, { params: { id }, body })).rejects.toThrow();
      const { subscription } = await ann.call(subscriptionApi.change, {
        params: { id },
        body: { url: 'feed://example.org/x#top', name: ' Mine ', every_minutes: 15 },
      });
      expect(subscription).toMatchObject({ url: 'https://example.org/x', name: 'Mine', every_minutes: 15 });
    });
  });
});
