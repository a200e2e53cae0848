import { decompressApi, driveApi, taskApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  contentOf,
  eachDatabase,
  openTestApp,
  plant,
  sharedApps,
  type Member,
  type TestApp,
} from '../../testing/index.ts';
import { SEVEN_ZIP } from '../../testing/archives/packed-archives.ts';
import { rawRar4, rawRar5 } from '../../testing/archives/raw-rar.ts';
import { rawSevenZip } from '../../testing/archives/raw-seven-zip.ts';
import { rawZip, type RawEntry } from '../../testing/archives/raw-zip.ts';

/** Archives made by other programs; the password is `berries`. */
const LOCKED = {
  classic:
    'UEsDBAoACQAAAMgtfF0O2UcCGgAAAA4AAAALABwAZmVhdGhlci50eHRVVAkAA6dqCmunagprdXgLAAEEAAAAAAQAAAAAkxnYv//8adRSzFYhNKfpAM5DSGnq5Jsy9ldQSwcIDtlHAhoAAAAOAAAAUEsBAh4DCgAJAAAAyC18XQ7ZRwIaAAAADgAAAAsAGAAAAAAAAQAAAKSBAAAAAGZlYXRoZXIudHh0VVQFAAOnagprdXgLAAEEAAAAAAQAAAAAUEsFBgAAAAABAAEAUQAAAG8AAAAAAA==',
  'AES of 128 bits':
    'UEsDBBQAAQBjAMgtfF0AAAAAKAAAAJYAAAALAAsAZmVhdGhlci50eHQBmQcAAgBBRQEIAFBid5n5RYtgzrTul/u2l6QHBQiq4rwqUS7puYVitmXnSkjc5bUJvY9QSwECFAMUAAEAYwDILXxdAAAAACgAAACWAAAACwALAAAAAAAAAAAAgAEAAAAAZmVhdGhlci50eHQBmQcAAgBBRQEIAFBLBQYAAAAAAQABAEQAAABcAAAAAAA=',
  'AES of 256 bits':
    'UEsDBBQAAQBjAMgtfF0AAAAAMAAAAJYAAAALAAsAZmVhdGhlci50eHQBmQcAAgBBRQMIAIhNpNvmXN+FSBTFr0jz/1EpNz9xOOWrYP/jKBZAD57YIY78J/pyGxUpEawT1XYQyVBLAQIUAxQAAQBjAMgtfF0AAAAAMAAAAJYAAAALAAsAAAAAAAAAAACAAQAAAABmZWF0aGVyLnR4dAGZBwACAEFFAwgAUEsFBgAAAAABAAEARAAAAGQAAAAAAA==',
};

/** Same contents as {@link SEVEN_ZIP}. */
const PACKED = [
  { name: 'nest', isFolder: true },
  { name: 'nest/egg.txt', content: 'an egg' },
  { name: 'list.txt', content: 'blue feather '.repeat(40) },
  { name: 'none.txt' },
];

const appOf = sharedApps();

eachDatabase((dialect) => {
  async function withArchive(
    content: Buffer,
    name = 'bower.zip',
  ): Promise<{ app: TestApp; ann: Member; id: string }> {
    const app = await appOf(dialect);
    const ann = await app.signUp('ann');
    const ids = await plant(app, ann.id, { [name]: content });
    return { app, ann, id: ids[name]! };
  }
  const withEntries = (...entries: RawEntry[]) => withArchive(rawZip(entries));

  const extract = (
    ann: Member,
    id: string,
    body: { password?: string; files?: { path: string }[]; parent_id?: string } = {},
  ) => ann.call(decompressApi.decompress, { body: { file_id: id, ...body } });

  async function ended(ann: Member, taskId: string) {
    for (let tries = 0; ; tries++) {
      const task = await ann.call(taskApi.get, { params: { id: taskId } });
      if (/COMPLETE|ERROR/.test(task.phase)) return task;
      if (tries > 100) throw new Error('The extraction did not end');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }

  /** Paths and contents below a folder. */
  async function tree(
    app: TestApp,
    ann: Member,
    parent: string,
    above = '',
  ): Promise<Record<string, string>> {
    const { files } = await ann.call(driveApi.list, { query: { parent_id: parent } });
    const found: Record<string, string> = {};
    for (const file of files) {
      const path = `${above}${file.name}`;
      if (file.kind === 'drive#folder') {
        const inner = await tree(app, ann, file.id, `${path}/`);
        Object.assign(found, Object.keys(inner).length > 0 ? inner : { [`${path}/`]: '' });
      } else found[path] = (await contentOf(app, ann, file.id)).toString();
    }
    return found;
  }

  async function extracted(app: TestApp, ann: Member, id: string, body: Parameters<typeof extract>[2] = {}) {
    const { status, task_id: taskId } = await extract(ann, id, body);
    expect(status).toBe('OK');
    const task = await ended(ann, taskId);
    return { task, found: task.file_id ? await tree(app, ann, task.file_id) : {} };
  }

  const reserved = async (app: TestApp, ann: Member) => app.quota.of(app.database, ann.id);

  test('an archive is listed folder by folder', async () => {
    const { ann, id } = await withEntries(
      { name: 'nest/' },
      { name: 'nest/egg.txt', content: 'an egg' },
      { name: 'twigs/deep/twig.txt', content: 'a twig' },
      { name: 'list.txt', content: 'blue' },
    );
    const root = await ann.call(decompressApi.list, { body: { file_id: id } });
    expect(root).toMatchObject({ status: 'OK', title: 'bower.zip', current_path: '' });
    expect(root.files.map(({ kind, path, filesize, index }) => [kind, path, filesize, index])).toEqual([
      ['drive#folder', 'nest', '0', 0],
      ['drive#folder', 'twigs', '0', -1],
      ['drive#file', 'list.txt', '4', 3],
    ]);
    const nest = await ann.call(decompressApi.list, { body: { file_id: id, path: '/nest/' } });
    expect(nest.files).toMatchObject([
      { filename: 'egg.txt', path: 'nest/egg.txt', mime_type: 'text/plain' },
    ]);
    await expect(
      ann.call(decompressApi.list, { body: { file_id: id, path: 'nowhere' } }),
    ).rejects.toMatchObject({ id: 'file_not_found' });
  });

  test('an archive is extracted into a folder of its name, and its size is charged exactly once', async () => {
    const { app, ann, id } = await withEntries(
      { name: 'nest/egg.txt', content: 'an egg'.repeat(1000), deflated: true },
      { name: 'empty/' },
      { name: 'none.txt' },
    );
    const before = await reserved(app, ann);
    const { task, found } = await extracted(app, ann, id);
    expect(task).toMatchObject({
      type: 'decompress',
      phase: 'PHASE_TYPE_COMPLETE',
      progress: 100,
      file_name: 'bower',
    });
    expect(found).toEqual({ 'nest/egg.txt': 'an egg'.repeat(1000), 'empty/': '', 'none.txt': '' });
    expect(await reserved(app, ann)).toEqual({ ...before, used: before.used + 6000 });
    const progress = await ann.call(decompressApi.progress, { query: { task_id: task.id } });
    expect(progress).toMatchObject({
      phase: 'PHASE_TYPE_COMPLETE',
      file_id: task.file_id,
      task_size: '6000',
      task_size_completed: '6000',
    });
  });

  test('only the selected entries are extracted, into the requested folder', async () => {
    const { app, ann, id } = await withEntries(
      { name: 'nest/egg.txt', content: 'an egg' },
      { name: 'nest/more/egg.txt', content: 'another' },
      { name: 'nested.txt', content: 'no' },
    );
    const { there } = await plant(app, ann.id, { there: {} });
    const { task, found } = await extracted(app, ann, id, { files: [{ path: 'nest' }], parent_id: there! });
    expect(found).toEqual({ 'nest/egg.txt': 'an egg', 'nest/more/egg.txt': 'another' });
    const folder = await ann.call(driveApi.get, { params: { id: task.file_id }, query: {} });
    expect(folder.parent_id).toBe(there);
    await expect(extract(ann, id, { files: [{ path: 'nowhere' }] })).rejects.toMatchObject({
      id: 'file_not_found',
    });
  });

  test.each(Object.entries(LOCKED))(
    'an archive locked by %s opens only with the right password',
    async (_, made) => {
      const { app, ann, id } = await withArchive(Buffer.from(made, 'base64'));
      expect(await extract(ann, id)).toMatchObject({ status: 'PASS_WORD_EMPTY', task_id: '' });
      expect(await extract(ann, id, { password: 'twigs' })).toMatchObject({
        status: 'PASS_WORD_ERROR',
        task_id: '',
      });
      expect(await ann.call(decompressApi.list, { body: { file_id: id } })).toMatchObject({
        status: 'PASS_WORD_EMPTY',
        files: [],
      });
      const { task, found } = await extracted(app, ann, id, { password: 'berries' });
      expect(task.phase).toBe('PHASE_TYPE_COMPLETE');
      expect(found['feather.txt']!.trim().replaceAll(/ ?a blue feather/g, '')).toBe('');
      expect(JSON.stringify(task)).not.toContain('berries');
      // After the extraction the password is not stored, not even encrypted.
      const { state } = await app.database
        .on<{ task: { id: string; state: string } }>()
        .selectFrom('task')
        .select('state')
        .where('id', '=', task.id)
        .executeTakeFirstOrThrow();
      expect(JSON.parse(state)).toMatchObject({ password: '' });
    },
  );

  test('entry names with parent or absolute paths stay inside the folder, and links are not followed', async () => {
    const { app, ann, id } = await withEntries(
      { name: '../../out.txt', content: '1' },
      { name: '/etc/passwd', content: '2' },
      { name: 'C:\\windows\\system.ini', content: '3' },
      { name: 'a/./b/../c.txt', content: '4' },
      { name: 'link', content: '/etc/shadow', mode: 0o120777 },
      { name: '..', content: '5' },
      { name: 'con\u0000trol\n.txt', content: '6' },
    );
    const { task, found } = await extracted(app, ann, id);
    expect(task.phase).toBe('PHASE_TYPE_COMPLETE');
    expect(found).toEqual({
      'out.txt': '1',
      'etc/passwd': '2',
      'windows/system.ini': '3',
      'a/b/c.txt': '4',
      'control.txt': '6',
    });
  });

  test('two entries of the same name become two files', async () => {
    const { app, ann, id } = await withEntries(
      { name: 'egg.txt', content: '1' },
      { name: 'egg.txt', content: '2' },
      { name: 'egg.txt/deep.txt', content: '3' },
    );
    const { found } = await extracted(app, ann, id);
    expect(Object.values(found).toSorted()).toEqual(['1', '2', '3']);
  });

  test('entry names without a declared encoding are decoded', async () => {
    const { app, ann, id } = await withEntries(
      { name: Buffer.from([0xce, 0xc4, 0xbc, 0xfe, 0x2e, 0x74, 0x78, 0x74]), content: '1' },
      { name: Buffer.from('plän.txt'), content: '2', flags: 0 },
    );
    const { found } = await extracted(app, ann, id);
    expect(found).toEqual({ '文件.txt': '1', 'plän.txt': '2' });
  });

  test('an entry with a false size is rejected, and its reservation is released', async () => {
    for (const size of [1, 100_000]) {
      const { app, ann, id } = await withEntries(
        { name: 'first.txt', content: 'ok' },
        { name: 'bomb.txt', content: 'a'.repeat(5000), deflated: true, size },
      );
      const before = await reserved(app, ann);
      const { task, found } = await extracted(app, ann, id);
      expect(task).toMatchObject({ phase: 'PHASE_TYPE_ERROR', params: { error: 'archive_invalid' } });
      expect(found).toEqual({ 'first.txt': 'ok' });
      expect(await reserved(app, ann)).toEqual({ ...before, used: before.used + 2 });
    }
  });

  test('overlapping entries, false counts and truncated archives are rejected', async () => {
    const shared = await withEntries(
      { name: 'a', content: 'aaaa' },
      { name: 'b', content: 'bbbb', offset: 0 },
    );
    await expect(extract(shared.ann, shared.id)).rejects.toMatchObject({ id: 'archive_invalid' });
    const counted = await withArchive(rawZip([{ name: 'a', content: 'a' }], { count: 7 }));
    await expect(extract(counted.ann, counted.id)).rejects.toMatchObject({ id: 'archive_invalid' });
    const cut = await withArchive(rawZip([{ name: 'a', content: 'aaaa' }]).subarray(20));
    await expect(extract(cut.ann, cut.id)).rejects.toMatchObject({ id: 'archive_invalid' });
    const none = await withArchive(Buffer.from('no archive at all'));
    await expect(extract(none.ann, none.id)).rejects.toMatchObject({ id: 'archive_invalid' });
  });

  test('an archive that declares more than the available space is not started', async () => {
    const { app, ann, id } = await withEntries(
      { name: 'huge.bin', content: 'a'.repeat(1000), deflated: true, size: 0xfffffff0 },
      { name: 'more.bin', content: 'b', size: 0xfffffff0 },
      { name: 'and.bin', content: 'b', size: 0xfffffff0 },
    );
    const before = await reserved(app, ann);
    expect(await extract(ann, id)).toMatchObject({ status: 'NEED_MORE_QUOTA', task_id: '' });
    expect(await reserved(app, ann)).toEqual(before);
  });

  test.each([
    ['7z', Buffer.from(SEVEN_ZIP.locked, 'base64'), true],
    ['7z with encrypted names', Buffer.from(SEVEN_ZIP.sealed, 'base64'), false],
    ['rar', rawRar5(PACKED, { password: 'berries' }), true],
    ['rar 4', rawRar4(PACKED, { password: 'berries' }), true],
  ])('a locked %s is listed and extracted like a zip', async (_, made, showsNames) => {
    const { app, ann, id } = await withArchive(made, 'bower.cbr');
    const list = (password?: string) =>
      ann.call(decompressApi.list, { body: { file_id: id, ...(password ? { password } : {}) } });
    expect(await list()).toMatchObject({ status: 'PASS_WORD_EMPTY', files: [] });
    expect(await list('twigs')).toMatchObject({ status: 'PASS_WORD_ERROR', files: [] });
    const shown = await list('berries');
    expect(shown.files.map(({ path, filesize }) => `${path} ${filesize}`).toSorted()).toEqual([
      'list.txt 520',
      'nest 0',
      'none.txt 0',
    ]);
    // Names shown to someone with the password are not shown to the next caller without it.
    expect(await list()).toMatchObject({ status: 'PASS_WORD_EMPTY', files: [] });
    expect(await extract(ann, id)).toMatchObject({
      status: 'PASS_WORD_EMPTY',
      files_num: showsNames ? 3 : 0,
    });
    expect(await extract(ann, id, { password: 'twigs' })).toMatchObject({ status: 'PASS_WORD_ERROR' });
    const before = await reserved(app, ann);
    const { task, found } = await extracted(app, ann, id, { password: 'berries' });
    expect(task).toMatchObject({ phase: 'PHASE_TYPE_COMPLETE', file_name: 'bower' });
    expect(found).toEqual({
      'nest/egg.txt': 'an egg',
      'list.txt': 'blue feather '.repeat(40),
      'none.txt': '',
    });
    expect(await reserved(app, ann)).toEqual({ ...before, used: before.used + 526 });
    expect(JSON.stringify(task)).not.toContain('berries');
  });

  test('a truncated rar keeps its complete files and releases the remaining reservation', async () => {
    const made = rawRar5([
      { name: 'first.txt', content: 'ok' },
      { name: 'bomb.txt', content: 'a'.repeat(5000), size: 100_000 },
      { name: 'third.txt', content: 'never' },
    ]);
    const { app, ann, id } = await withArchive(made, 'bower.rar');
    const before = await reserved(app, ann);
    const { task, found } = await extracted(app, ann, id);
    expect(task).toMatchObject({ phase: 'PHASE_TYPE_ERROR', params: { error: 'archive_invalid' } });
    expect(found).toEqual({ 'first.txt': 'ok' });
    expect(await reserved(app, ann)).toEqual({ ...before, used: before.used + 2 });
  });

  test('an archive that crashes the engine is reported as broken', async () => {
    const made = rawSevenZip([{ name: 'egg.txt', content: 'an egg' }], { count: 2 ** 31 });
    const { ann, id } = await withArchive(made, 'bower.7z');
    await expect(ann.call(decompressApi.list, { body: { file_id: id } })).rejects.toMatchObject({
      id: 'archive_invalid',
    });
  });

  test('names that differ only in case or in Unicode normalization are all kept', async () => {
    const { app, ann, id } = await withEntries(
      { name: 'Egg.txt', content: '1' },
      { name: 'egg.txt', content: '2' },
      { name: 'pl\u00e4ne.txt', content: '3' },
      { name: 'pla\u0308ne.txt', content: '4' },
      { name: 'NEST/a.txt', content: '5' },
      { name: 'nest/a.txt', content: '6' },
    );
    const { task, found } = await extracted(app, ann, id);
    expect(task.phase).toBe('PHASE_TYPE_COMPLETE');
    expect(Object.values(found).toSorted()).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  test('an archive inside an archive is extracted as an ordinary file', async () => {
    const inner = rawZip([{ name: 'egg.txt', content: 'an egg' }]);
    const { app, ann, id } = await withEntries({ name: 'inner.zip', content: inner });
    const { task } = await extracted(app, ann, id);
    const { files } = await ann.call(driveApi.list, { query: { parent_id: task.file_id } });
    expect(files.map(({ name, size }) => [name, size])).toEqual([['inner.zip', String(inner.length)]]);
  });

  test('an archive in another member’s drive is reported as not found', async () => {
    const { app, id } = await withEntries({ name: 'a', content: 'a' });
    const bob = await app.signUp('bob');
    await expect(extract(bob, id)).rejects.toMatchObject({ id: 'file_not_found' });
    await expect(bob.call(decompressApi.list, { body: { file_id: id } })).rejects.toMatchObject({
      id: 'file_not_found',
    });
  });

  test('a canceled extraction releases its reservation and stops', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const made = rawZip([{ name: 'egg.txt', content: 'an egg' }]);
    const { 'bower.zip': id } = await plant(app, ann.id, { 'bower.zip': made });
    const before = await reserved(app, ann);
    const { task_id: taskId } = await extract(ann, id!);
    expect(await reserved(app, ann)).toEqual({ ...before, reserved: 6 });
    await ann.call(taskApi.remove, { query: { task_ids: taskId } });
    await app.jobs.drain();
    expect(await reserved(app, ann)).toEqual(before);
    expect((await ann.call(driveApi.list, { query: {} })).files.map(({ name }) => name)).toEqual([
      'bower.zip',
    ]);
  });

  test('an extraction resumes where a killed process stopped, and a recount in between agrees', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const made = rawZip([
      { name: 'first.txt', content: 'one' },
      { name: 'second.txt', content: 'second' },
    ]);
    const { 'bower.zip': id } = await plant(app, ann.id, { 'bower.zip': made });
    const { task_id: taskId } = await extract(ann, id!);
    expect(await app.drive.check({ repair: false })).toEqual([]);
    await app.database.transaction(async (tx) => {
      const rows = tx.on<{ task: { id: string; state: string } }>();
      const { state } = await rows
        .selectFrom('task')
        .select('state')
        .where('id', '=', taskId)
        .executeTakeFirstOrThrow();
      const moved = JSON.stringify({ ...(JSON.parse(state) as object), next: 1, reserved: 6, done: 3 });
      await rows.updateTable('task').set({ state: moved }).where('id', '=', taskId).execute();
    });
    await app.jobs.drain();
    const task = await ann.call(taskApi.get, { params: { id: taskId } });
    expect(task.phase).toBe('PHASE_TYPE_COMPLETE');
    expect(await tree(app, ann, task.file_id)).toEqual({ 'second.txt': 'second' });
  });

  test('a folder is compressed to a zip beside it, which extracts to a folder again', async () => {
    const app = await appOf(dialect);
    const ann = await app.signUp('ann');
    const ids = await plant(app, ann.id, {
      nest: { 'egg.txt': 'an egg', deep: { 'twig.txt': 'a twig' } },
      hollow: {},
    });
    const before = await reserved(app, ann);
    const { task_id: packing } = await ann.call(decompressApi.pack, { body: { folderId: ids['nest']! } });
    const packed = await ended(ann, packing);
    expect(packed).toMatchObject({ type: 'pack_files', phase: 'PHASE_TYPE_COMPLETE', file_name: 'nest.zip' });
    const size = Number(packed.file_size);
    expect(await reserved(app, ann)).toEqual({ ...before, used: before.used + size });
    const { task_id: unpacking } = await ann.call(decompressApi.unpack, {
      body: { folderId: packed.file_id },
    });
    const task = await ended(ann, unpacking);
    expect(task.file_name).toBe('nest');
    expect(await tree(app, ann, task.file_id)).toEqual({
      'nest/egg.txt': 'an egg',
      'nest/deep/twig.txt': 'a twig',
    });
    await expect(ann.call(decompressApi.pack, { body: { folderId: ids['hollow']! } })).rejects.toMatchObject({
      id: 'cannot_pack_empty_folder',
    });
  });

  test('guessing archive passwords is rate-limited', async () => {
    const { ann, id } = await withArchive(Buffer.from(LOCKED.classic, 'base64'));
    const guesses = async () => {
      for (let tries = 0; tries < 40; tries++) await extract(ann, id, { password: `wrong ${tries}` });
    };
    await expect(guesses()).rejects.toMatchObject({ id: 'too_frequent' });
  });
});
