import {
  accountApi,
  adminApi,
  driveApi,
  eventApi,
  shareApi,
  subscriptionApi,
  taskApi,
  type EndpointSpec,
  type InputOf,
  type ReplyOf,
} from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp, upload } from '../testing/index.ts';

eachDatabase((dialect) => {
  test('every endpoint that stores its reply with its change takes effect once, and a retry returns the same reply', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    let keys = 0;
    /** Makes a call like the pages do, and repeats it as if the response had been lost. */
    async function twice<S extends EndpointSpec>(spec: S, input: InputOf<S>): Promise<ReplyOf<S>> {
      const key = { 'idempotency-key': `key ${(keys += 1)}` };
      const reply = await ann.call(spec, input, key);
      expect(await ann.call(spec, input, key), spec.name).toEqual(reply);
      return reply;
    }
    const names = async (trashed = false): Promise<string[]> => {
      const filters = JSON.stringify({ trashed: { eq: trashed } });
      const { files } = await ann.call(driveApi.list, {
        query: { limit: 100, filters, ...(trashed ? { parent_id: '*' } : {}) },
      });
      return files.map(({ name }) => name).toSorted();
    };

    const { file } = await twice(driveApi.create, { body: { kind: 'drive#folder', name: 'nest' } });
    const nest = file!.id;
    const song = (await upload(app, ann, 'song.txt', 'a bird sings')).id;
    const ids = [song];
    await twice(driveApi.rename, { params: { id: song }, body: { name: 'tune.txt' } });
    await twice(driveApi.star, { body: { ids } });
    await twice(driveApi.unstar, { body: { ids } });
    await twice(driveApi.copy, { body: { ids, to: { parent_id: nest } } });
    await twice(driveApi.copy, { body: { ids, to: { parent_id: '' } } });
    expect(await names()).toEqual(['nest', 'tune(1).txt', 'tune.txt']);
    await twice(driveApi.trash, { body: { ids } });
    expect(await names(true)).toEqual(['tune.txt']);
    await twice(driveApi.untrash, { body: { ids } });
    await twice(driveApi.move, { body: { ids, to: { parent_id: nest } } });
    expect(await names()).toEqual(['nest', 'tune(1).txt']);

    const share = await twice(shareApi.create, { body: { file_ids: [nest], pass_code_option: 'REQUIRED' } });
    const edited = await twice(shareApi.edit, { body: { share_id: share.share_id, title: 'Songs' } });
    expect(edited.title).toBe('Songs');
    await twice(shareApi.cancel, { params: { id: share.share_id } });
    const other = await twice(shareApi.create, { body: { file_ids: [nest] } });
    await twice(shareApi.cancelMany, { body: { ids: [other.share_id] } });
    expect((await ann.call(shareApi.listOwn, { query: {} })).data).toEqual([]);

    await twice(eventApi.clear, { body: {} });
    expect((await ann.call(eventApi.list, { query: {} })).events).toEqual([]);
    await twice(taskApi.clear, { body: { type: 'copy', phase: 'PHASE_TYPE_COMPLETE' } });
    const { tasks } = await ann.call(taskApi.list, { query: {} });
    expect(tasks.filter(({ type }) => type === 'copy')).toEqual([]);
    await twice(taskApi.remove, { query: { task_ids: tasks.map(({ id }) => id).join(',') } });
    expect((await ann.call(taskApi.list, { query: {} })).tasks).toEqual([]);

    const { subscription } = await twice(subscriptionApi.create, {
      body: { kind: 'link', url: 'http://example.org/list.txt', active: false },
    });
    const params = { id: subscription.id };
    await twice(subscriptionApi.change, { params, body: { name: 'List' } });
    await twice(subscriptionApi.remove, { params });
    const restored = await twice(subscriptionApi.restore, { params });
    expect(restored.subscription.name).toBe('List');

    const me = await twice(accountApi.changeMe, { body: { name: 'Anna' } });
    expect(me.name).toBe('Anna');
    await expect(
      ann.call(
        adminApi.setStorage,
        { params: { id: ann.id }, body: { storage_limit: '1' } },
        { 'idempotency-key': 'k' },
      ),
    ).rejects.toMatchObject({ id: 'permission_denied' });

    await twice(driveApi.trash, { body: { ids: [nest] } });
    await twice(driveApi.emptyTrash, {});
    const [left] = (await ann.call(driveApi.list, { query: { limit: 10 } })).files;
    await twice(driveApi.removeMany, { body: { ids: [left!.id] } });
    const gone = await twice(driveApi.create, { body: { kind: 'drive#folder', name: 'gone' } });
    await twice(driveApi.remove, { params: { id: gone.file!.id } });
    expect(await names()).toEqual([]);
    expect(await app.drive.check({ repair: false })).toEqual([]);
  });
});
