import { driveApi, isApiFailure } from '@bowerbird/contract';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { drivenByAnn, eachDatabase, openTestApp, runJob, upload } from '../../../testing/index.ts';

const LIMIT = 400;
const NAMES = ['a.txt', 'b.txt', 'c.txt'] as const;

const change = fc.record({
  what: fc.constantFrom(
    'upload',
    'upload',
    'put',
    'save',
    'move',
    'copy',
    'restore',
    'remove',
    'keep',
    'clear',
    'trash',
    'untrash',
    'empty',
    'delete',
  ),
  which: fc.integer({ min: 0, max: 2 }),
  other: fc.nat({ max: 5 }),
  size: fc.integer({ min: 0, max: 120 }),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Refusals that a change may meet beside others. */
const MEANT = new Set([
  'file_not_found',
  'version_not_found',
  'content_changed',
  'file_space_not_enough',
  'file_move_into_itself',
  'file_duplicated_name',
]);

eachDatabase((dialect) => {
  test('whatever replaces, restores and deletes files at the same time, used storage is the sum of files, trash and versions', async () => {
    await using app = await openTestApp({ dialect, environment: { MEMBER_VERSIONS: '4' } });
    const { dav, member: ann } = await drivenByAnn(app);
    await app.database.transaction((tx) => app.quota.setLimit(tx, ann.id, LIMIT));
    let counter = 0;

    const files = async (trashed: boolean) =>
      (
        await ann.call(driveApi.list, {
          query: trashed ? { parent_id: '*', filters: '{"trashed":{"eq":true}}' } : {},
        })
      ).files.filter((file) => file.trashed === trashed);

    async function run({ what, which, other, size }: Change): Promise<void> {
      const name = NAMES[which]!;
      const text = String(counter++).padEnd(size, '.').slice(0, size);
      const file = (await files(false)).find((one) => one.name === name);
      const gone = await files(true);
      const id = file?.id ?? 'V0nothing';
      const { versions } = file
        ? await ann.call(driveApi.versions, { params: { id }, query: {} })
        : { versions: [] };
      const one = { params: { id, version_id: versions[other % (versions.length || 1)]?.id ?? 'V0' } };
      switch (what) {
        case 'upload':
          return void (await upload(app, ann, name, text, { conflict: 'replace' }));
        case 'put':
          return void (await dav.put(`/${name}`, text));
        case 'save':
          return void (await ann.call(driveApi.saveContent, {
            params: { id },
            body: { base: other < 3 ? '*' : (file?.hash ?? '*') },
            bytes: new Blob([text]),
          }));
        case 'move':
          return void (await dav.move(`/${name}`, `/${NAMES[other % 3]!}`));
        case 'copy':
          return void (await dav.copy(`/${name}`, `/${NAMES[other % 3]!}`));
        case 'restore':
          return void (await ann.call(driveApi.restoreVersion, one));
        case 'remove':
          return void (await ann.call(driveApi.removeVersion, one));
        case 'keep':
          return void (await ann.call(driveApi.changeVersion, {
            ...one,
            body: { keep_forever: other < 3, label: other === 0 ? 'x' : '' },
          }));
        case 'clear':
          return void (await ann.call(driveApi.clearVersions, { params: { id } }));
        case 'trash':
          return void (await ann.call(driveApi.trash, { body: { ids: [id] } }));
        case 'untrash':
          return void (gone[0] && (await ann.call(driveApi.untrash, { body: { ids: [gone[0].id] } })));
        case 'empty':
          return void (await ann.call(driveApi.emptyTrash, {}));
        case 'delete':
          return void (await ann.call(driveApi.remove, { params: { id } }));
      }
    }

    const quietly = (one: Change): Promise<void> =>
      run(one).catch((error: unknown) => {
        if (isApiFailure(error) ? MEANT.has(error.id) : /space|NotEnough|full/i.test(String(error))) return;
        throw error;
      });

    async function expectSound(): Promise<void> {
      const { rows } = await sql<{ live: number; versions: number }>`
        select (select coalesce(sum(size), 0) from node where account = ${ann.id} and kind = 1) as live,
          (select coalesce(sum(size), 0) from version where account = ${ann.id}) as versions`.execute(
        app.database.on(),
      );
      const { used, reserved, limit } = await app.quota.of(app.database, ann.id);
      expect([used, reserved]).toEqual([Number(rows[0]!.live) + Number(rows[0]!.versions), 0]);
      expect(used).toBeLessThanOrEqual(limit);
      expect((await app.drive.check({ repair: false })).map(({ what, detail }) => [what, detail])).toEqual(
        [],
      );
    }

    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 15, maxLength: 25, size: 'max' }), async (changes) => {
        for (let at = 0; at < changes.length; at += 3)
          await Promise.all(changes.slice(at, at + 3).map(quietly));
        await runJob(app, 'expire-versions');
        await app.drive.collector.collect(new AbortController().signal, 0);
        await expectSound();
      }),
      { numRuns: dialect === 'sqlite' ? 6 : 3 },
    );
  });
});
