import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { driveApi, eventApi, offlineApi, shareApi, taskApi } from '@bowerbird/contract';
import { describe, expect, test } from 'vitest';
import {
  bytes,
  contentOf,
  eachDatabase,
  eventually,
  fetchLink,
  looked,
  LOOPBACK_ALLOWED,
  offlineTasks,
  openOrigin,
  openTestApp,
  sharedApps,
  slowly,
  taskComplete,
  taskUntil,
  upload,
  usage,
  type TestApp,
} from '../../testing/index.ts';

const MIB = 1024 * 1024;

const shared = sharedApps();

async function open(dialect: 'sqlite' | 'postgres', environment?: Record<string, string>): Promise<TestApp> {
  if (!environment) return shared(dialect);
  const app = await openTestApp({ dialect, environment: { ...LOOPBACK_ALLOWED, ...environment } });
  app.start();
  return app;
}

eachDatabase((dialect) => {
  describe('a cloud download', () => {
    test('is saved to My Pack under the name from its path, with exact usage, which the task reports', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const content = randomBytes(3 * MIB + 17);
      origin.put('/things/blue%20feather.bin', content);
      const ann = await app.signUp('ann');
      const task = await taskComplete(
        ann,
        (await fetchLink(ann, origin.at('/things/blue%20feather.bin'))).id,
      );
      expect(task).toMatchObject({
        type: 'offline',
        file_name: 'blue feather.bin',
        file_size: String(content.length),
        message: 'Saved',
        progress: 100,
      });
      expect((await contentOf(app, ann, task.file_id)).equals(content)).toBe(true);
      expect(await usage(ann)).toBe(content.length);
      expect((await app.quota.of(app.database, ann.id)).reserved).toBe(0);
      const { files } = await ann.call(driveApi.list, { query: { parent_id: '' } });
      expect(files.map(({ name }) => name)).toEqual(['My Pack']);
      const { tasks } = await ann.call(taskApi.list, {
        query: { type: 'offline', with: 'reference_resource' },
      });
      expect(tasks[0]!.reference_resource).toMatchObject({ name: 'blue feather.bin', tags: [] });
      expect(await app.drive.check({ repair: false })).toEqual([]);
    });

    test('a download of one source for two members runs once, and both get the file', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const content = randomBytes(MIB);
      origin.put('/one.bin', slowly(content));
      const [ann, ben] = [await app.signUp('ann'), await app.signUp('ben')];
      const [hers, his] = await Promise.all([
        fetchLink(ann, origin.at('/one.bin')),
        fetchLink(ben, origin.at('/one.bin')),
      ]);
      for (const [member, { id }] of [
        [ann, hers],
        [ben, his],
      ] as const) {
        const { file_id: file } = await taskComplete(member, id);
        expect((await contentOf(app, member, file)).equals(content)).toBe(true);
      }
      expect(origin.asked.filter((line) => line === 'GET /one.bin').length).toBeLessThanOrEqual(1);
    });

    test('is not repeated while the site reports the same version', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const content = randomBytes(8 * MIB);
      origin.put('/same.bin', content);
      const [ann, ben] = [await app.signUp('ann'), await app.signUp('ben')];
      await taskComplete(ann, (await fetchLink(ann, origin.at('/same.bin'))).id);
      const { file_id: file } = await taskComplete(ben, (await fetchLink(ben, origin.at('/same.bin'))).id);
      expect((await contentOf(app, ben, file)).equals(content)).toBe(true);
    });

    test('is repeated when the content has changed', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const [old, young] = [randomBytes(MIB), randomBytes(MIB)];
      origin.put('/moving.bin', bytes(old, { tag: '"old"' }));
      const ann = await app.signUp('ann');
      const first = await taskComplete(ann, (await fetchLink(ann, origin.at('/moving.bin'))).id);
      origin.put('/moving.bin', bytes(young, { tag: '"young"' }));
      const second = await taskComplete(ann, (await fetchLink(ann, origin.at('/moving.bin'))).id);
      expect(second.file_name).toBe('moving(1).bin');
      expect((await contentOf(app, ann, first.file_id)).equals(old)).toBe(true);
      expect((await contentOf(app, ann, second.file_id)).equals(young)).toBe(true);
    });

    test('a download of an empty file creates an empty file', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      origin.put('/nothing.txt', Buffer.alloc(0));
      const ann = await app.signUp('ann');
      const task = await taskComplete(ann, (await fetchLink(ann, origin.at('/nothing.txt'))).id);
      expect((await contentOf(app, ann, task.file_id)).length).toBe(0);
    });
  });

  describe('a download task', () => {
    test('removed while running disappears within seconds, with its partial files', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      origin.put('/long.bin', slowly(randomBytes(20 * MIB), { everyMs: 100 }));
      const ann = await app.signUp('ann');
      const { id } = await fetchLink(ann, origin.at('/long.bin'));
      await taskUntil(ann, id, 'PHASE_TYPE_RUNNING');
      await eventually(async () => (await app.quota.of(app.database, ann.id)).reserved > 0);
      await ann.call(taskApi.remove, { query: { task_ids: id } });
      expect(await offlineTasks(ann)).toEqual([]);
      expect((await app.quota.of(app.database, ann.id)).reserved).toBe(0);
      await eventually(async () => {
        for await (const _ of app.storage.staged()) return false;
        return true;
      }, 5);
      expect(await usage(ann)).toBe(0);
    });

    test('a paused task makes no progress until it is resumed', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const content = randomBytes(4 * MIB);
      origin.put('/film.bin', slowly(content, { everyMs: 60 }));
      const ann = await app.signUp('ann');
      const { id } = await fetchLink(ann, origin.at('/film.bin'));
      await taskUntil(ann, id, 'PHASE_TYPE_RUNNING');
      await ann.call(offlineApi.pause, { body: { ids: [id] } });
      await taskUntil(ann, id, 'PHASE_TYPE_PAUSED');
      await sleep(2500);
      expect((await ann.call(taskApi.get, { params: { id } })).phase).toBe('PHASE_TYPE_PAUSED');
      origin.put('/film.bin', content);
      await ann.call(offlineApi.resume, { body: { ids: [id] } });
      const { file_id: file } = await taskComplete(ann, id);
      expect((await contentOf(app, ann, file)).equals(content)).toBe(true);
    });

    test('a failed task has a readable reason, and succeeds when it is retried', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const ann = await app.signUp('ann');
      const { id } = await fetchLink(ann, origin.at('/missing.bin'));
      await expect(taskComplete(ann, id)).rejects.toThrow('The file is no longer there');
      expect((await app.quota.of(app.database, ann.id)).reserved).toBe(0);
      const content = randomBytes(1000);
      origin.put('/missing.bin', content);
      await ann.call(offlineApi.act, { body: { type: 'offline', create_type: 'RETRY', id } });
      const { file_id: file } = await taskComplete(ann, id);
      expect((await contentOf(app, ann, file)).equals(content)).toBe(true);
    });

    test('has the id of its file from the start, though the file exists only once it is complete', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const content = randomBytes(2 * MIB);
      const asked = Promise.withResolvers<void>();
      origin.put('/known.bin', (_request, response) => {
        void asked.promise.then(() => response.writeHead(200).end(content));
      });
      const ann = await app.signUp('ann');
      const begun = await fetchLink(ann, origin.at('/known.bin'));
      expect(begun.file_id).not.toBe('');
      const look = () => ann.call(driveApi.get, { params: { id: begun.file_id }, query: {} });
      await expect(look()).rejects.toMatchObject({ id: 'file_not_found' });
      const { tasks } = await ann.call(taskApi.list, {
        query: { type: 'offline', with: 'reference_resource' },
      });
      expect(tasks).toMatchObject([{ file_id: begun.file_id, reference_resource: null }]);
      asked.resolve();
      expect(await taskComplete(ann, begun.id)).toMatchObject({ file_id: begun.file_id });
      expect(await look()).toMatchObject({ name: 'known.bin', size: String(content.length) });
    });

    test('has its size in the end, even if the site announced none', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const content = randomBytes(300_000);
      origin.put('/chunked.bin', (_request, response) => {
        response.writeHead(200, { 'transfer-encoding': 'chunked' });
        response.end(content);
      });
      const ann = await app.signUp('ann');
      const { id } = await fetchLink(ann, origin.at('/chunked.bin'));
      expect(await taskComplete(ann, id)).toMatchObject({
        file_size: '300000',
        params: { size: '300000' },
      });
    });

    test('can be removed with its files before there are any', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      const ann = await app.signUp('ann');
      const { id } = await fetchLink(ann, origin.at('/missing.bin'));
      await taskUntil(ann, id, 'PHASE_TYPE_ERROR');
      await ann.call(taskApi.remove, { query: { task_ids: id, delete_files: 'true' } });
      expect(await offlineTasks(ann)).toEqual([]);
      expect((await ann.call(eventApi.list, { query: {} })).events).toEqual([]);
    });

    test('a task whose file was deleted later reports that it is gone', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      origin.put('/short.bin', randomBytes(10));
      const ann = await app.signUp('ann');
      const { id, file_id: file } = await taskComplete(
        ann,
        (await fetchLink(ann, origin.at('/short.bin'))).id,
      );
      await ann.call(driveApi.remove, { params: { id: file } });
      const { tasks } = await ann.call(taskApi.list, {
        query: { type: 'offline', with: 'reference_resource' },
      });
      expect(tasks).toMatchObject([{ id, phase: 'PHASE_TYPE_ERROR', reference_resource: null }]);
    });

    test('can be removed with its files moved to the trash', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      origin.put('/short.bin', randomBytes(10));
      const ann = await app.signUp('ann');
      const { id, file_id: file } = await taskComplete(
        ann,
        (await fetchLink(ann, origin.at('/short.bin'))).id,
      );
      await ann.call(taskApi.remove, { query: { task_ids: id, delete_files: 'true' } });
      expect(await offlineTasks(ann)).toEqual([]);
      expect((await ann.call(driveApi.get, { params: { id: file }, query: {} })).trashed).toBe(true);
    });

    test('a task with a start time starts then and not before', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      origin.put('/later.bin', randomBytes(10));
      const ann = await app.signUp('ann');
      const startTime = new Date(Date.now() + 4000).toISOString();
      const { id } = await fetchLink(ann, origin.at('/later.bin'), { url: { start_time: startTime } });
      await sleep(2000);
      expect((await ann.call(taskApi.get, { params: { id } })).phase).toBe('PHASE_TYPE_PENDING');
      expect(origin.asked).toEqual([]);
      await taskComplete(ann, id);
    });

    test('is counted by phase, cleared, and invisible to other members', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      origin.put('/a.bin', randomBytes(10));
      const [ann, ben] = [await app.signUp('ann'), await app.signUp('ben')];
      const { id, file_id: file } = await taskComplete(ann, (await fetchLink(ann, origin.at('/a.bin'))).id);
      expect((await ann.call(taskApi.count, { query: { type: 'offline' } })).counts).toEqual({
        PHASE_TYPE_COMPLETE: 1,
      });
      await expect(ben.call(offlineApi.statuses, { params: { id }, query: {} })).rejects.toThrow();
      await ben.call(offlineApi.pause, { body: { ids: [id] } });
      await ben.call(taskApi.remove, { query: { task_ids: id, delete_files: 'true' } });
      expect((await ann.call(driveApi.get, { params: { id: file }, query: {} })).trashed).toBe(false);
      const {
        statuses,
        total,
        complete: done,
      } = await ann.call(offlineApi.statuses, { params: { id }, query: {} });
      expect(statuses).toMatchObject([{ name: 'a.bin', phase: 'PHASE_TYPE_COMPLETE', file_size: '10' }]);
      expect([total, done]).toEqual([1, 1]);
      await ann.call(taskApi.clear, { body: { type: 'offline', phase: 'PHASE_TYPE_COMPLETE' } });
      expect(await offlineTasks(ann)).toEqual([]);
    });
  });

  describe('limits', () => {
    test('reject a file larger than the remaining space as soon as its size is known', async () => {
      await using app = await open(dialect, { MEMBER_STORAGE: '1 MB' });
      await using origin = await openOrigin();
      origin.put('/large.bin', slowly(randomBytes(30 * MIB), { everyMs: 500 }));
      const ann = await app.signUp('ann');
      const { id } = await fetchLink(ann, origin.at('/large.bin'));
      await expect(taskComplete(ann, id)).rejects.toThrow(/Your drive is full|larger than/);
      expect(await usage(ann)).toBe(0);
      expect((await app.quota.of(app.database, ann.id)).reserved).toBe(0);
    });

    test('allow exactly the daily number of tasks, also for parallel requests', async () => {
      await using app = await open(dialect, { OFFLINE_DAILY: '3' });
      await using origin = await openOrigin();
      const ann = await app.signUp('ann');
      const asked = await Promise.allSettled(
        Array.from({ length: 10 }, (_, n) => fetchLink(ann, origin.at(`/${n}.bin`))),
      );
      expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
      await expect(fetchLink(ann, origin.at('/more.bin'))).rejects.toThrow(
        'You’ve created all 3 cloud downloads of today',
      );
      expect(await ann.call(offlineApi.allowance, {})).toMatchObject({ daily_limit: 3, daily_used: 3 });
    });

    test('keep one member’s many tasks from delaying another’s', async () => {
      await using app = await open(dialect, { OFFLINE_RUNNING: '2', OFFLINE_SLOTS: '4' });
      await using origin = await openOrigin();
      const [ann, ben] = [await app.signUp('ann'), await app.signUp('ben')];
      for (let n = 0; n < 30; n++) {
        origin.put(`/${n}.bin`, slowly(randomBytes(MIB), { everyMs: 1000 }));
        await fetchLink(ann, origin.at(`/${n}.bin`));
      }
      origin.put('/quick.bin', randomBytes(10));
      await taskComplete(ben, (await fetchLink(ben, origin.at('/quick.bin'))).id);
      const { counts } = await ann.call(taskApi.count, { query: { type: 'offline' } });
      expect(counts.PHASE_TYPE_RUNNING).toBeLessThanOrEqual(2);
    });
  });

  describe('a download link', () => {
    test('a link to a private address is rejected, unless the administrator allows it', async () => {
      await using app = await open(dialect, { FETCH_ALLOW: '' });
      await using origin = await openOrigin();
      origin.put('/secret', Buffer.from('inner things'));
      const ann = await app.signUp('ann');
      const { id } = await fetchLink(ann, origin.at('/secret'));
      await expect(taskComplete(ann, id)).rejects.toThrow('isn’t on the public internet');
      expect(origin.asked).toEqual([]);
    });

    test('is rejected if it is not a link', async () => {
      await using app = await open(dialect);
      const ann = await app.signUp('ann');
      for (const line of [
        '',
        'hello',
        'ftp://example.org/x',
        'file:///etc/passwd',
        'magnet:?dn=no-hash',
        'javascript:alert(1)',
      ])
        await expect(fetchLink(ann, line), line).rejects.toThrow('This link isn’t supported');
      expect(await offlineTasks(ann)).toEqual([]);
    });

    test('is accepted in any form in which links are copied', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      origin.put('/one.bin', Buffer.from('one'));
      const ann = await app.signUp('ann');
      const link = `${origin.at('/one.bin')}?a=1&b=2`;
      for (const line of [
        `<${link}>`,
        `"${link.replace('&', '&amp;')}"`,
        `[one](${link})`,
        encodeURIComponent(link),
      ]) {
        const task = await taskComplete(ann, (await fetchLink(ann, line)).id);
        expect(task.params['url']).toBe(link);
      }
    });

    test('sends the member’s custom headers, which nobody else sees', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      origin.put('/private.bin', (request, response) => {
        if (request.headers.cookie === 'key=blue') bytes(Buffer.from('let in'))(request, response);
        else response.writeHead(403).end();
      });
      const [ann, ben] = [await app.signUp('ann'), await app.signUp('ben')];
      const task = await fetchLink(ann, origin.at('/private.bin'), {
        url: { headers: { Cookie: 'key=blue' } },
      });
      const done = await taskComplete(ann, task.id);
      expect(JSON.stringify([task, done])).not.toContain('key=blue');
      expect((await contentOf(app, ann, done.file_id)).toString()).toBe('let in');
      const his = await fetchLink(ben, origin.at('/private.bin'));
      await expect(taskComplete(ben, his.id)).rejects.toThrow('The site refused access');
      expect(app.logged.join('')).not.toContain('key=blue');
    });

    test('a link to a share on this site copies the stored bytes', async () => {
      await using app = await open(dialect);
      const [ann, ben] = [await app.signUp('ann'), await app.signUp('ben')];
      await upload(app, ann, 'feather.txt', 'blue');
      const { files } = await ann.call(driveApi.list, { query: { parent_id: '' } });
      const { share_url: url } = await ann.call(shareApi.create, {
        body: { file_ids: [files[0]!.id], title: 'Feathers', pass_code_option: 'NOT_REQUIRED' },
      });
      const { list } = await looked(ben, { urls: url });
      expect(list.resources).toMatchObject([{ name: 'Feathers', meta: { kind: 'share', status: '1' } }]);
      const task = await fetchLink(ben, url);
      expect(task.type).toBe('restore');
      await taskComplete(ben, task.id);
      await expect(fetchLink(ann, url)).rejects.toThrow('yours');
    });
  });

  describe('inspecting links', () => {
    test('returns what each is, and which are unavailable', async () => {
      await using app = await open(dialect);
      await using origin = await openOrigin();
      origin.put('/film.mp4', randomBytes(5000));
      const { list } = await looked(app.visitor, {
        urls: `${origin.at('/film.mp4')}\n\nnonsense\n${origin.at('/gone.zip')}`,
      });
      expect(list.resources).toMatchObject([
        { name: 'film.mp4', file_size: '5000', is_dir: false, meta: { status: '1', mime_type: 'video/mp4' } },
        { name: 'nonsense', meta: { status: '2', error: 'link_unsupported' } },
        { name: 'gone.zip', meta: { status: '2', error: 'source_not_found' } },
      ]);
    });

    test('rejects an unknown list id', async () => {
      await using app = await open(dialect);
      await expect(
        app.visitor.call(offlineApi.inspectMore, { params: { list_id: 'made.up' }, query: {} }),
      ).rejects.toThrow();
    });
  });
});
