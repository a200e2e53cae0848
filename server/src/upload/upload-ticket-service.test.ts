import { createHash, randomBytes } from 'node:crypto';
import { driveApi, EMPTY_GCID, taskApi } from '@bowerbird/contract';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  askTicket,
  eachDatabase,
  objectClient,
  openTestApp,
  upload,
  type Member,
  type TestApp,
} from '../../testing/index.ts';

const MIB = 2 ** 20;
const gcid = (bytes: Uint8Array): string =>
  createHash('sha1').update(createHash('sha1').update(bytes).digest()).digest('hex').toUpperCase();

eachDatabase((dialect) => {
  let app: TestApp;
  let ann: Member;
  let bob: Member;
  let members = 0;

  beforeAll(async () => {
    app = await openTestApp({ dialect, environment: { MEMBER_STORAGE: '10 MB' } });
    bob = await app.signUp('bob');
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    ann = await app.signUp(`ann${(members += 1)}`);
  });

  const names = async (member: Member): Promise<string[]> =>
    (await member.call(driveApi.list, { query: {} })).files.map((file) => file.name);
  const quota = (member: Member) => app.quota.of(app.database, member.id);

  test('a ticket names the file, a task and the upload address; the file is not listed yet', async () => {
    const {
      file,
      task,
      resumable,
      upload_type: type,
    } = await askTicket(ann, { name: 'sea.jpg', size: 1000, hash: 'ab'.repeat(20) });
    expect(type).toBe('UPLOAD_TYPE_RESUMABLE');
    expect(file).toMatchObject({
      kind: 'drive#file',
      name: 'sea.jpg',
      parent_id: '',
      phase: 'PHASE_TYPE_PENDING',
      links: {},
      size: '1000',
    });
    expect(task).toMatchObject({
      type: 'upload',
      phase: 'PHASE_TYPE_PENDING',
      file_id: file!.id,
      file_name: 'sea.jpg',
      file_size: '1000',
    });
    expect(resumable).toMatchObject({ kind: 'drive#resumable', provider: 'PROVIDER_ALIYUN' });
    const { bucket, endpoint, key, expiration } = resumable!.params;
    expect(bucket).toMatch(/^[a-z0-9-]{3,63}$/);
    expect(endpoint).toBe('drive.test');
    expect(key).toMatch(/^[\w-]+$/);
    expect(Date.parse(expiration)).toBeGreaterThan(app.clock.now());

    expect(await names(ann)).toEqual([]);
    expect(await ann.call(driveApi.get, { params: { id: file!.id }, query: {} })).toMatchObject({
      id: file!.id,
      phase: 'PHASE_TYPE_PENDING',
    });
    const tasks = await ann.call(taskApi.list, { query: { type: 'upload' } });
    expect(tasks.tasks.map(({ id }) => id)).toEqual([task!.id]);
    expect(await quota(ann)).toMatchObject({ used: 0, reserved: 1000 });
  });

  test('a pending file is visible to its owner only', async () => {
    const { file } = await askTicket(ann, { name: 'sea.jpg', size: 1000 });
    await expect(bob.call(driveApi.get, { params: { id: file!.id }, query: {} })).rejects.toMatchObject({
      id: 'file_not_found',
    });
  });

  test('a size is accepted as a number or as digits', async () => {
    expect((await askTicket(ann, { name: 'a', size: '2000' })).file!.size).toBe('2000');
  });

  test.each([-1, 1.5, '-1', '1.5', '1e3', 'many', 2 ** 60, Number.MAX_SAFE_INTEGER, '99999999999999999999'])(
    'a size of %s is rejected, and nothing is reserved',
    async (size) => {
      await expect(askTicket(ann, { name: 'a', size })).rejects.toMatchObject({
        id: 'invalid_argument',
        facts: { field: 'size' },
      });
      expect(await quota(ann)).toMatchObject({ used: 0, reserved: 0 });
    },
  );

  test.each([
    ['missing', {}],
    ['empty', { size: '' }],
    ['null', { size: null }],
    ['the text null', { size: 'null' }],
    ['missing although there is a hash', { hash: 'AB'.repeat(20) }],
    ['empty although there is a hash', { size: '', hash: 'AB'.repeat(20) }],
    ['null although there is a hash', { size: null, hash: 'AB'.repeat(20) }],
    ['zero with the hash of a non-empty file', { size: 0, hash: 'AB'.repeat(20) }],
    ['not finite', { size: 'Infinity' }],
    ['hexadecimal', { size: '0x10' }],
    ['padded with a space', { size: ' 5' }],
    ['a boolean', { size: true }],
    ['a list', { size: [5] }],
  ])('a size that is %s is rejected for a file, and no file is created', async (_what, ask) => {
    const body = { kind: 'drive#file', name: 'a', upload_type: 'UPLOAD_TYPE_RESUMABLE', ...ask };
    const reply = await ann.inject({ method: 'POST', url: '/drive/v1/files', payload: body });
    expect([reply.statusCode, reply.json<{ error: string }>().error]).toEqual([400, 'invalid_argument']);
    expect(await names(ann)).toEqual([]);
    expect(await quota(ann)).toMatchObject({ used: 0, reserved: 0 });
  });

  test('a folder needs no size', async () => {
    await ann.call(driveApi.create, { body: { kind: 'drive#folder', name: 'box' } });
    expect(await names(ann)).toEqual(['box']);
  });

  test('an empty file is created at once, with and without a size', async () => {
    for (const ask of [
      { name: 'a', hash: EMPTY_GCID },
      { name: 'b', size: 0 },
      { name: 'c', size: '0', hash: EMPTY_GCID.toLowerCase() },
    ]) {
      const { file, task, ...rest } = await askTicket(ann, ask);
      expect(file).toMatchObject({
        name: ask.name,
        size: '0',
        phase: 'PHASE_TYPE_COMPLETE',
        hash: EMPTY_GCID,
      });
      expect(task).toMatchObject({ phase: 'PHASE_TYPE_COMPLETE', progress: 100, file_id: file!.id });
      expect(rest).not.toHaveProperty('resumable');
    }
    expect((await names(ann)).toSorted()).toEqual(['a', 'b', 'c']);
    expect(await quota(ann)).toMatchObject({ used: 0, reserved: 0 });
  });

  test('content already in the member’s drive needs no upload, and is charged', async () => {
    const bytes = randomBytes(5000);
    await upload(app, ann, 'one', bytes);
    const { file, task, ...rest } = await askTicket(ann, {
      name: 'two',
      size: 5000,
      hash: gcid(bytes).toLowerCase(),
    });
    expect(file).toMatchObject({ name: 'two', phase: 'PHASE_TYPE_COMPLETE', hash: gcid(bytes) });
    expect(file!.web_content_link).not.toBe('');
    expect(task).toMatchObject({ phase: 'PHASE_TYPE_COMPLETE', file_id: file!.id });
    expect(rest).not.toHaveProperty('resumable');
    expect(await quota(ann)).toMatchObject({ used: 10_000, reserved: 0 });
  });

  test('content already in the member’s drive is neither added nor charged if its name is to be skipped', async () => {
    const bytes = randomBytes(5000);
    const one = await upload(app, ann, 'one', bytes);
    const ask = { name: 'one', size: 5000, hash: gcid(bytes), conflict: 'skip' } as const;
    const { file } = await askTicket(ann, ask);
    expect(file).toMatchObject({ id: one.id, phase: 'PHASE_TYPE_COMPLETE' });
    expect(await names(ann)).toEqual(['one']);
    expect(await quota(ann)).toMatchObject({ used: 5000, reserved: 0 });
    expect(await app.quota.ledgerTotal(app.database, ann.id)).toBe(5000);
  });

  test('no member can cancel another member’s upload', async () => {
    const { file, task } = await askTicket(ann, { name: 'sea.jpg', size: 1000 });
    await bob.call(taskApi.remove, { query: { task_ids: task!.id } });
    expect(await ann.call(driveApi.get, { params: { id: file!.id }, query: {} })).toMatchObject({
      phase: 'PHASE_TYPE_PENDING',
    });
    expect((await ann.call(taskApi.get, { params: { id: task!.id } })).phase).toBe('PHASE_TYPE_PENDING');
    expect(await quota(ann)).toMatchObject({ reserved: 1000 });
  });

  test('knowing a hash gives no access to other members’ content, and does not reveal that it exists', async () => {
    const bytes = randomBytes(5000);
    await upload(app, ann, 'one', bytes);
    const { file, resumable } = await askTicket(bob, { name: 'two', size: 5000, hash: gcid(bytes) });
    expect(file!.phase).toBe('PHASE_TYPE_PENDING');
    expect(resumable).toBeDefined();
  });

  test('a hash with another size does not match', async () => {
    const bytes = randomBytes(5000);
    await upload(app, ann, 'one', bytes);
    expect((await askTicket(ann, { name: 'two', size: 5001, hash: gcid(bytes) })).resumable).toBeDefined();
  });

  test('identical content of two members is stored once and charged to both', async () => {
    const bytes = randomBytes(5000);
    const [before, used] = [
      (await Array.fromAsync(app.storage.list('blob/'))).length,
      (await quota(bob)).used,
    ];
    await upload(app, ann, 'one', bytes);
    await upload(app, bob, 'two', bytes);
    await expect.poll(async () => (await Array.fromAsync(app.storage.list('blob/'))).length).toBe(before + 1);
    expect(await quota(ann)).toMatchObject({ used: 5000 });
    expect(await quota(bob)).toMatchObject({ used: used + 5000 });
  });

  test.each([
    ['', 'file_name_empty'],
    ['..', 'invalid_argument'],
    ['a/b', 'invalid_argument'],
    ['a\u0000b', 'invalid_argument'],
    ['é'.repeat(128), 'file_name_too_long'],
  ])('the name %j is rejected as %s', async (name, id) => {
    await expect(askTicket(ann, { name, size: 10 })).rejects.toMatchObject({ id });
  });

  test.each([
    '100% +#?.txt',
    `it's "quoted" [x].txt`,
    '\u202Egnp.exe',
    '<script>alert(1)',
    '😀.png',
    'e\u0301.txt',
    'con',
    ' space ',
  ])('the name %j is kept unchanged', async (name) => {
    const file = await upload(app, ann, name, 'hello');
    expect(file.name).toBe(name);
    expect(await names(ann)).toEqual([name]);
  });

  test('a missing folder, or another member’s, is rejected', async () => {
    const { file: folder } = await bob.call(driveApi.create, {
      body: { kind: 'drive#folder', name: 'bob’s' },
    });
    await expect(askTicket(ann, { name: 'a', size: 1, parent_id: 'nowhere' })).rejects.toMatchObject({
      id: 'file_not_found',
    });
    await expect(askTicket(ann, { name: 'a', size: 1, parent_id: folder!.id })).rejects.toMatchObject({
      id: 'file_not_found',
    });
  });

  test('when twenty tickets for the last megabytes of a drive are requested in parallel, exactly those that fit are issued', async () => {
    const asked = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => askTicket(ann, { name: `${at}.bin`, size: MIB })),
    );
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    for (const refused of asked)
      if (refused.status === 'rejected')
        expect(refused.reason).toMatchObject({ id: 'file_space_not_enough', status: 403 });
    expect(await quota(ann)).toMatchObject({ used: 0, reserved: 10 * MIB });
  });

  test('when twenty files are uploaded in parallel to the last megabytes of a drive, exactly those that fit succeed, and the counters agree', async () => {
    const bytes = Array.from({ length: 20 }, () => randomBytes(MIB));
    const sent = await Promise.allSettled(bytes.map((content, at) => upload(app, ann, `${at}.bin`, content)));
    expect(sent.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
    expect(await names(ann)).toHaveLength(10);
    expect(await quota(ann)).toMatchObject({ used: 10 * MIB, reserved: 0 });
    expect(await app.quota.ledgerTotal(app.database, ann.id)).toBe(10 * MIB);
  });

  test('a request retried with its idempotency key gets the same ticket, and quota is reserved once', async () => {
    const ask = () =>
      ann.call(
        driveApi.create,
        { body: { kind: 'drive#file', name: 'a', size: 500 } },
        { 'idempotency-key': 'once' },
      );
    const [first, second] = [await ask(), await ask()];
    expect(second.resumable).toEqual(first.resumable);
    expect(await quota(ann)).toMatchObject({ reserved: 500 });
  });

  test('a ticket gives access to its own object only', async () => {
    const one = await askTicket(ann, { name: 'one', size: 5 });
    const two = await askTicket(ann, { name: 'two', size: 5 });
    const mixed = objectClient(app, { ...one.resumable!.params, key: two.resumable!.params.key });
    expect(await mixed.put('hello')).toMatchObject({ status: 403, code: 'AccessDenied' });
    expect(await names(ann)).toEqual([]);
  });
});
