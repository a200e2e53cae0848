import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { driveApi, shareApi, taskApi, type InputOf, type ReplyOf } from '@bowerbird/contract';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  eachDatabase,
  forest,
  growForest,
  openTestApp,
  plant,
  SAPLING_SIZE,
  type Member,
  type TestApp,
  type Tree,
} from '../../testing/index.ts';

type RestoreBody = InputOf<typeof shareApi.restore>['body'];
type Reply = ReplyOf<typeof shareApi.restore>;

const TREE: Tree = {
  photos: { 'sea.jpg': 'blue sea', old: { 'hut.jpg': 'a hut' }, empty: {} },
  'list.txt': 'blue things',
  'private.txt': 'mine',
};

async function shareOf(
  app: TestApp,
  owner: Member,
  tree: Tree,
  options: Partial<InputOf<typeof shareApi.create>['body']> = {},
  roots?: string[],
): Promise<{ shareId: string; ids: Record<string, string> }> {
  const ids = await plant(app, owner.id, tree);
  const fileIds = (roots ?? Object.keys(tree)).map((path) => ids[path]!);
  const { share_id: shareId } = await owner.call(shareApi.create, {
    body: { file_ids: fileIds, ...options },
  });
  return { shareId, ids };
}

const restore = (
  member: Member,
  shareId: string,
  body: Partial<RestoreBody> = {},
  headers: Record<string, string> = {},
): Promise<Reply> => member.call(shareApi.restore, { body: { share_id: shareId, ...body } }, headers);
const taskOf = (member: Member, { restore_task_id: id }: Reply) =>
  member.call(taskApi.get, { params: { id } });
const tracesOf = (reply: Reply): Record<string, string> =>
  JSON.parse(reply.params['trace_file_ids']!) as Record<string, string>;

/** All files of a drive, as paths. */
async function drive(member: Member, parent = ''): Promise<string[]> {
  const { files } = await member.call(driveApi.list, {
    query: { parent_id: parent, limit: 1000, order: 'NAME_ASC', filters: '{"trashed":{"eq":false}}' },
  });
  const below = await Promise.all(
    files.map(async ({ id, name, kind }) => [
      name,
      ...(kind === 'drive#folder' ? (await drive(member, id)).map((path) => `${name}/${path}`) : []),
    ]),
  );
  return below.flat();
}

async function usage(
  app: TestApp,
  member: Member,
): Promise<{ used: number; reserved: number; ledger: number }> {
  const { used, reserved } = await app.quota.of(app.database, member.id);
  return { used, reserved, ledger: await app.quota.ledgerTotal(app.database, member.id) };
}

async function counters(app: TestApp, shareId: string): Promise<{ count: number; reserved: number }> {
  const row = await app.database
    .on<{ share: { id: string; restore_count: number; restore_reserved: number } }>()
    .selectFrom('share')
    .select(['restore_count', 'restore_reserved'])
    .where('id', '=', shareId)
    .executeTakeFirstOrThrow();
  return { count: row.restore_count, reserved: row.restore_reserved };
}

const files = (count: number, content = 'x'): Tree =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`file ${at}.txt`, content]));

eachDatabase((dialect) => {
  describe('a member', () => {
    test('saves a whole share by reference, complete at once, and finds it in the drive', async () => {
      await using app = await openTestApp({ dialect });
      const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
      const { shareId, ids } = await shareOf(app, ann, TREE, {}, ['photos', 'list.txt']);
      const reply = await restore(bob, shareId, {
        file_ids: [],
        params: { trace_file_ids: '*' },
        to: { parent_id: '' },
      });
      expect(reply).toMatchObject({ share_status: 'OK', restore_status: 'RESTORE_COMPLETE' });
      expect(await drive(bob)).toEqual([
        'photos',
        'photos/empty',
        'photos/old',
        'photos/old/hut.jpg',
        'photos/sea.jpg',
        'list.txt',
      ]);
      const traces = tracesOf(reply);
      expect(new Set(Object.keys(traces))).toEqual(new Set([ids['photos'], ids['list.txt']]));
      expect(
        (await bob.call(driveApi.get, { params: { id: traces[ids['list.txt']!]! }, query: {} })).size,
      ).toBe('11');
      const task = await taskOf(bob, reply);
      expect(task).toMatchObject({ type: 'restore', phase: 'PHASE_TYPE_COMPLETE', progress: 100 });
      expect(task.params['trace_file_ids']).toBe(reply.params['trace_file_ids']);
      expect(await usage(app, bob)).toEqual({ used: 24, reserved: 0, ledger: 24 });
      expect(await counters(app, shareId)).toEqual({ count: 1, reserved: 0 });
    });

    test('saves a selection from any depth, without duplicates of nested or repeated items', async () => {
      await using app = await openTestApp({ dialect });
      const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
      const { shareId, ids } = await shareOf(app, ann, TREE, {}, ['photos', 'list.txt']);
      const old = ids['photos/old']!;
      const reply = await restore(bob, shareId, {
        file_ids: [ids['photos/old/hut.jpg']!, old, old, ids['photos/sea.jpg']!],
        parent_id: '',
        specify_parent_id: true,
      });
      expect(await drive(bob)).toEqual(['old', 'old/hut.jpg', 'sea.jpg']);
      expect(new Set(Object.keys(tracesOf(reply)))).toEqual(new Set([old, ids['photos/sea.jpg']]));
      const listed = await restore(bob, shareId, {
        params: { trace_file_ids: `${ids['list.txt']},` },
        to_parent_id: '',
      });
      expect(Object.keys(tracesOf(listed))).toEqual([ids['list.txt']]);
    });

    test('chooses the destination; without one, everything is saved to one default folder', async () => {
      await using app = await openTestApp({ dialect });
      const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
      const { shareId } = await shareOf(app, ann, { 'list.txt': 'x' });
      const { target } = await plant(app, bob.id, { target: {} });
      await restore(bob, shareId);
      await restore(bob, shareId);
      const chosen = await restore(bob, shareId, { parent_id: target!, specify_parent_id: true });
      expect([chosen.file_id, (await taskOf(bob, chosen)).file_id]).toEqual([target, target]);
      await restore(bob, shareId, { to: { parent_id: target! } });
      await restore(bob, shareId, { to_parent_id: target! });
      await restore(bob, shareId, { to: {} });
      expect(await drive(bob)).toEqual([
        'Pack From Shared',
        'Pack From Shared/list(1).txt',
        'Pack From Shared/list.txt',
        'target',
        'target/list(1).txt',
        'target/list(2).txt',
        'target/list.txt',
        'list.txt',
      ]);
      for (const to of ['V0', ann.id, shareId])
        await expect(restore(bob, shareId, { to_parent_id: to })).rejects.toMatchObject({
          id: 'file_not_found',
        });
    });

    test('saves nothing if one requested file is not in the share', async () => {
      await using app = await openTestApp({ dialect });
      const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
      const { shareId, ids } = await shareOf(app, ann, TREE, {}, ['photos', 'list.txt']);
      const own = await plant(app, bob.id, { 'own.txt': 'own' });
      for (const foreign of [ids['private.txt']!, own['own.txt']!, ann.id, 'V0']) {
        await expect(restore(bob, shareId, { file_ids: [ids['list.txt']!, foreign] })).rejects.toMatchObject({
          id: 'file_not_found',
        });
      }
      await ann.call(driveApi.trash, { body: { ids: [ids['photos/sea.jpg']!] } });
      await expect(restore(bob, shareId, { file_ids: [ids['photos/sea.jpg']!] })).rejects.toMatchObject({
        id: 'file_not_found',
      });
      await restore(bob, shareId, { to: {} });
      expect(await drive(bob)).toEqual([
        'photos',
        'photos/empty',
        'photos/old',
        'photos/old/hut.jpg',
        'list.txt',
        'own.txt',
      ]);
      expect(await counters(app, shareId)).toEqual({ count: 1, reserved: 0 });
    });

    test('can’t save their own share', async () => {
      await using app = await openTestApp({ dialect });
      const ann = await app.signUp('ann');
      const { shareId } = await shareOf(app, ann, TREE, { pass_code_option: 'REQUIRED' });
      await expect(restore(ann, shareId)).rejects.toMatchObject({ id: 'file_restore_own', code: 3 });
    });

    test('a member who repeats the same request gets one copy and one task', async () => {
      await using app = await openTestApp({ dialect });
      const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
      const { shareId } = await shareOf(app, ann, { 'list.txt': 'x' });
      const key = { 'idempotency-key': 'once' };
      const first = await restore(bob, shareId, { to: {} }, key);
      const again = await restore(bob, shareId, { to: {} }, key);
      expect(again).toEqual(first);
      const racing = await Promise.allSettled(
        Array.from({ length: 10 }, () => restore(bob, shareId, { to: {} }, { 'idempotency-key': 'race' })),
      );
      expect(
        new Set(
          racing.flatMap((result) => (result.status === 'fulfilled' ? [result.value.restore_task_id] : [])),
        ).size,
      ).toBe(1);
      expect(await drive(bob)).toEqual(['list(1).txt', 'list.txt']);
      expect(await counters(app, shareId)).toEqual({ count: 2, reserved: 0 });
    });
  });

  describe('limits', () => {
    test(
      'twenty members at once meet a limit of five: five succeed, the share closes, and nothing stays reserved',
      { timeout: 180_000 },
      async () => {
        await using app = await openTestApp({ dialect });
        const ann = await app.signUp('ann');
        const { shareId } = await shareOf(app, ann, { 'list.txt': 'x' }, { restore_limit: '5' });
        const members = await Promise.all(Array.from({ length: 20 }, (_, at) => app.signUp(`member${at}`)));
        const results = await Promise.allSettled(
          members.map((member) => restore(member, shareId, { to: {} })),
        );
        const saved = results.filter(
          (result) => result.status === 'fulfilled' && result.value.restore_status === 'RESTORE_COMPLETE',
        );
        expect(saved).toHaveLength(5);
        for (const result of results) {
          if (result.status === 'rejected')
            expect(result.reason).toMatchObject({ id: 'restore_limit_reached' });
          else if (result.value.restore_status !== 'RESTORE_COMPLETE')
            expect(result.value.share_status).toBe('MAX_RESTORE_COUNT');
        }
        expect((await Promise.all(members.map((member) => drive(member)))).flat()).toHaveLength(5);
        expect(await counters(app, shareId)).toEqual({ count: 5, reserved: 0 });
        expect((await app.visitor.call(shareApi.open, { query: { share_id: shareId } })).share_status).toBe(
          'MAX_RESTORE_COUNT',
        );
        await ann.call(shareApi.edit, { body: { share_id: shareId, restore_limit: 6 } });
        expect(await app.visitor.call(shareApi.open, { query: { share_id: shareId } })).toMatchObject({
          share_status: 'OK',
          restore_count_left: '1',
        });
      },
    );

    test('twenty saves of one member meet the last megabyte: those that fit succeed, and the usage is exact', async () => {
      await using app = await openTestApp({ dialect });
      const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
      const { shareId } = await shareOf(app, ann, { 'big.bin': 'x'.repeat(100_000), 'small.txt': 'y' });
      await app.database.transaction((tx) => app.quota.setLimit(tx, bob.id, 299_999));
      const results = await Promise.allSettled(
        Array.from({ length: 20 }, () => restore(bob, shareId, { to: {} })),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
      for (const result of results)
        if (result.status === 'rejected')
          expect(result.reason).toMatchObject({ id: 'file_space_not_enough' });
      expect(await drive(bob)).toHaveLength(4);
      expect(await usage(app, bob)).toEqual({ used: 200_002, reserved: 0, ledger: 200_002 });
      expect(await counters(app, shareId)).toEqual({ count: 2, reserved: 0 });
    });

    test('views, listings and downloads do not count toward the limit, and a rejected save is not counted', async () => {
      await using app = await openTestApp({ dialect });
      const [ann, bob, cat] = [await app.signUp('ann'), await app.signUp('bob'), await app.signUp('cat')];
      const { shareId, ids } = await shareOf(
        app,
        ann,
        { 'list.txt': 'x'.repeat(1000) },
        { restore_limit: 1 },
      );
      for (let at = 0; at < 5; at++) {
        await app.visitor.call(shareApi.open, { query: { share_id: shareId } });
        await app.visitor.call(shareApi.fileInfo, {
          query: { share_id: shareId, file_id: ids['list.txt']! },
        });
      }
      await app.database.transaction((tx) => app.quota.setLimit(tx, bob.id, 999));
      await expect(restore(bob, shareId)).rejects.toMatchObject({ id: 'file_space_not_enough' });
      expect(await drive(bob)).toEqual([]);
      expect(await counters(app, shareId)).toEqual({ count: 0, reserved: 0 });
      expect((await restore(cat, shareId)).restore_status).toBe('RESTORE_COMPLETE');
    });
  });

  describe('a share of more than a thousand files', () => {
    const LARGE: Tree = { many: { ...files(600), more: files(600, 'y') } };

    test('is saved completely in the background', async () => {
      await using app = await openTestApp({ dialect });
      const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
      const { shareId, ids } = await shareOf(app, ann, LARGE, { restore_limit: 1 });
      const reply = await restore(bob, shareId, { to: {} });
      expect(reply).toMatchObject({ restore_status: 'RESTORE_START', file_id: '' });
      expect(await drive(bob)).toEqual([]);
      expect(await counters(app, shareId)).toEqual({ count: 0, reserved: 1 });
      await expect(restore(await app.signUp('cat'), shareId)).rejects.toMatchObject({
        id: 'restore_limit_reached',
      });
      await app.jobs.drain();
      const task = await taskOf(bob, reply);
      expect(task).toMatchObject({ phase: 'PHASE_TYPE_COMPLETE', progress: 100 });
      expect(Object.keys(JSON.parse(task.params['trace_file_ids']!) as object)).toEqual([ids['many']]);
      expect(await drive(bob)).toHaveLength(1202);
      expect(await usage(app, bob)).toEqual({ used: 1200, reserved: 0, ledger: 1200 });
      expect(await counters(app, shareId)).toEqual({ count: 1, reserved: 0 });
    }, 180_000);

    test('leaves nothing if the save is canceled, exceeds the quota, or the share closes meanwhile', async () => {
      await using app = await openTestApp({ dialect });
      const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
      const { shareId } = await shareOf(app, ann, LARGE, { restore_limit: 3 });

      const cancelled = await restore(bob, shareId, { to: {} });
      await bob.call(taskApi.remove, { query: { task_ids: cancelled.restore_task_id } });
      expect(await counters(app, shareId)).toEqual({ count: 0, reserved: 0 });
      await app.jobs.drain();
      expect(await taskOf(bob, cancelled)).toMatchObject({
        phase: 'PHASE_TYPE_ERROR',
        params: { error: 'cancelled' },
      });

      await app.database.transaction((tx) => app.quota.setLimit(tx, bob.id, 1199));
      const poor = await restore(bob, shareId, { to: {} });
      await app.jobs.drain();
      expect(await taskOf(bob, poor)).toMatchObject({
        phase: 'PHASE_TYPE_ERROR',
        params: { error: 'file_space_not_enough' },
      });
      await app.database.transaction((tx) => app.quota.setLimit(tx, bob.id, 10_000));

      const late = await restore(bob, shareId, { to: {} });
      await ann.call(shareApi.cancel, { params: { id: shareId } });
      await app.jobs.drain();
      expect(await taskOf(bob, late)).toMatchObject({
        phase: 'PHASE_TYPE_ERROR',
        params: { error: 'share_status_prohibited' },
      });

      expect(await drive(bob)).toEqual([]);
      expect(await usage(app, bob)).toEqual({ used: 0, reserved: 0, ledger: 0 });
      expect(await counters(app, shareId)).toEqual({ count: 0, reserved: 0 });
    }, 180_000);

    test('holds a reservation that the check command finds and, if it was lost, repairs', async () => {
      await using app = await openTestApp({ dialect });
      const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
      const { shareId } = await shareOf(app, ann, LARGE, { restore_limit: 3 });
      await restore(bob, shareId, { to: {} });
      expect(await app.share.check({ repair: false })).toEqual([]);
      await app.database.transaction((tx) => sql`update share set restore_reserved = 3`.execute(tx.on()));
      expect(await app.share.check({ repair: false })).toMatchObject([
        { what: 'share-reserved', id: shareId, repaired: false },
      ]);
      expect(await app.share.check({ repair: true })).toMatchObject([{ repaired: true }]);
      expect(await counters(app, shareId)).toEqual({ count: 0, reserved: 1 });
    }, 180_000);

    test('is saved after its process was killed halfway, and counted once', async () => {
      await using app = await openTestApp({ dialect });
      const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
      const nodes = 5000;
      const { tree } = await plant(app, ann.id, { tree: {} });
      await growForest(app, ann.id, forest(app.ids, tree!, nodes));
      const { share_id: shareId } = await ann.call(shareApi.create, {
        body: { file_ids: [tree!], restore_limit: 1 },
      });
      const reply = await restore(bob, shareId, { to: {} });

      const { DATA_DIR, DATABASE_URL } = app.config;
      const environment = {
        ...process.env,
        DATA_DIR,
        SITE_URL: 'http://drive.test',
        LOG_LEVEL: 'silent',
        ...(DATABASE_URL ? { DATABASE_URL } : {}),
      };
      const worker = spawn(process.execPath, [join(import.meta.dirname, '../../testing/jobs-alone.ts')], {
        env: environment,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const copied = async (): Promise<number> => {
        const { rows } = await sql<{
          count: number;
        }>`select count(*) as count from node where account = ${bob.id}`.execute(app.database.on());
        return Number(rows[0]!.count);
      };
      while ((await copied()) < 1000) await sleep(5);
      worker.kill('SIGKILL');
      await new Promise((resolve) => void worker.once('exit', resolve));
      expect(await drive(bob)).toEqual([]);
      expect(await counters(app, shareId)).toEqual({ count: 0, reserved: 1 });

      // Ends the dead process's lease, which would expire by itself in half a minute.
      await app.database.transaction((tx) =>
        sql`update job set lease_until = 0 where lease_until is not null`.execute(tx.on()),
      );
      await app.jobs.drain();
      expect((await taskOf(bob, reply)).phase).toBe('PHASE_TYPE_COMPLETE');
      expect(await copied()).toBe(nodes + 1);
      expect(await counters(app, shareId)).toEqual({ count: 1, reserved: 0 });
      expect((await usage(app, bob)).reserved).toBe(0);
      expect((await usage(app, bob)).used % SAPLING_SIZE).toBe(0);
      expect(await app.drive.check({ repair: false })).toEqual([]);
    }, 180_000);
  });
});
