import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { accountApi, adminApi, driveApi, shareApi, type UploadTicket } from '@bowerbird/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  completionDocument,
  objectReply,
  PASSWORD,
  readLive,
  serverGroup,
  signV4,
  type Connected,
  type ObjectReply,
  type ServerGroup,
} from '../../testing/index.ts';

const OPERATOR = { OPERATOR_EMAIL: 'olga@example.org', OPERATOR_PASSWORD: PASSWORD };

let group: ServerGroup;
let one: Connected;
let two: Connected;
beforeAll(async () => {
  group = await serverGroup(2, OPERATOR);
  one = await group.connect(1);
  two = await group.connect(2);
}, 300_000);
afterAll(() => group[Symbol.asyncDispose]());

const signIn = async ({ call }: Connected, email: string, password = PASSWORD): Promise<string> =>
  (await call(accountApi.signIn, { body: { username: email, password } })).access_token!;

async function signUp(name: string): Promise<{ id: string; email: string; token: string }> {
  const email = `${name}@example.org`;
  const grant = await one.call(accountApi.signUp, { body: { email, password: PASSWORD, name } });
  return { id: grant.sub, email, token: grant.access_token! };
}

const makeFolder = async ({ call }: Connected, name: string, token: string): Promise<string> =>
  (await call(driveApi.create, { body: { kind: 'drive#folder', name } }, token)).file!.id;

const names = async ({ call }: Connected, token: string): Promise<string[]> =>
  (await call(driveApi.list, { query: { limit: 100 } }, token)).files.map(({ name }) => name);

test('new connections reach all processes, and each line that is logged names its process', async () => {
  expect(new Set(group.logged.map((line) => line['process']))).toEqual(new Set([1, 2]));
  for (const { send } of [one, two])
    expect(await (await send(`${group.origin}/readyz`, { method: 'GET', headers: {} })).json()).toMatchObject(
      {
        status: 'ready',
      },
    );
});

test('a live stream tells of what any process has committed', async () => {
  const { token } = await signUp('followed');
  using stream = await readLive(group, { headers: { authorization: `Bearer ${token}` } });
  await stream.next('beat');
  for (const [at, changing] of [one, two].entries()) {
    await makeFolder(changing, `nest ${at}`, token);
    await stream.next('change', 'files');
    // The rest of the first change may be told half a second later.
    await sleep(1000);
  }
});

test('streams of a process that has just started miss nothing that others committed before', async () => {
  const program = join(import.meta.dirname, '../../testing/programs/slow-ready-server.ts');
  await using starting = await serverGroup(2, {}, { program });
  const first = await starting.connect(1);
  await starting.connect(2);
  const { access_token: token } = await first.call(accountApi.signUp, {
    body: { email: 'early@example.org', password: PASSWORD, name: 'early' },
  });
  // Streams start two seconds before their pages, to be sure.
  await sleep(2500);
  const readAt = performance.now();
  await makeFolder(first, 'nest', token!);
  await sleep(4000);
  // New connections reach both processes.
  for (let at = 0; at < 16; at++) {
    using stream = await readLive(
      starting,
      { headers: { authorization: `Bearer ${token}` } },
      { query: `?away=${Math.ceil(performance.now() - readAt)}` },
    );
    await expect.poll(() => stream.events[0]?.name, { timeout: 20_000 }).toMatch(/^(?:change|resync)$/);
  }
}, 120_000);

test('names that one process changed are listed by the other at once', async () => {
  const { token } = await signUp('renamed');
  const id = await makeFolder(one, 'nest', token);
  for (let round = 0; round < 20; round++) {
    const [changing, listing] = round % 2 ? [one, two] : [two, one];
    await changing.call(driveApi.rename, { params: { id }, body: { name: `nest ${round}` } }, token);
    expect(await names(listing, token)).toEqual([`nest ${round}`]);
  }
});

test('a passcode, a pause and the end of a share hold at once in the process that was asked before', async () => {
  const { token } = await signUp('sharer');
  const id = await makeFolder(one, 'shared', token);
  const share = await one.call(shareApi.create, { body: { file_ids: [id] } }, token);
  const shareId = share.share_id;
  const status = async ({ call }: Connected): Promise<string> =>
    (await call(shareApi.open, { query: { share_id: shareId } })).share_status;
  const edit = (body: object) => one.call(shareApi.edit, { body: { share_id: shareId, ...body } }, token);
  expect([await status(one), await status(two)]).toEqual(['OK', 'OK']);
  await edit({ pass_code_option: 'REQUIRED' });
  expect(await status(two)).toBe('PASS_CODE_EMPTY');
  await edit({ pass_code_option: 'NOT_REQUIRED' });
  expect(await status(two)).toBe('OK');
  await edit({ paused: true });
  expect(await status(two)).not.toBe('OK');
  await edit({ paused: false });
  expect(await status(two)).toBe('OK');
  await one.call(shareApi.cancel, { params: { id: shareId } }, token);
  expect(await status(two)).not.toBe('OK');
});

test('a list that the other process changed is not answered with 304', async () => {
  const { token } = await signUp('tagged');
  const id = await makeFolder(one, 'nest', token);
  const look = async ({ send }: Connected, tag = ''): Promise<Response> =>
    send(`${group.origin}/drive/v1/files?limit=100`, {
      method: 'GET',
      headers: { authorization: `Bearer ${token}`, ...(tag && { 'if-none-match': tag }) },
    });
  const tag = (await look(one)).headers.get('etag')!;
  expect((await look(two, tag)).status).toBe(304);
  await two.call(driveApi.rename, { params: { id }, body: { name: 'bower' } }, token);
  const changed = await look(one, tag);
  expect([changed.status, await changed.text()]).toEqual([200, expect.stringContaining('"bower"')]);
});

test('a session that one process ended is refused by the other, which had verified its token', async () => {
  const { token } = await signUp('leaving');
  expect(await names(two, token)).toEqual([]);
  await one.call(accountApi.signOut, { body: { token } }, token);
  await expect(names(two, token)).rejects.toThrow('unauthenticated');
});

test('a member who was suspended through one process is refused by the other', async () => {
  const { id, token } = await signUp('suspended');
  const olga = await signIn(two, OPERATOR.OPERATOR_EMAIL);
  expect(await names(one, token)).toEqual([]);
  await two.call(adminApi.freeze, { params: { id } }, olga);
  await expect(names(one, token)).rejects.toThrow(/unauthenticated|account_frozen/);
});

test('wrong passwords at both processes count together', async () => {
  const { email } = await signUp('guessed');
  const errors: string[] = [];
  for (let guess = 0; guess < 6; guess++)
    await signIn(guess % 2 ? one : two, email, `wrong ${guess}`).catch(
      (error: Error) => void errors.push((JSON.parse(error.message) as { error: string }).error),
    );
  expect(errors).toHaveLength(6);
  await expect(signIn(one, email)).rejects.toThrow('account_locked_retry');
  await expect(signIn(two, email)).rejects.toThrow('account_locked_retry');
});

test('a retry with its idempotency key at another process gets the first reply', async () => {
  const { token } = await signUp('retrying');
  const create = ({ call }: Connected) =>
    call(driveApi.create, { body: { kind: 'drive#folder', name: 'once' } }, token, 'key of the folder');
  const first = await create(one);
  expect(await create(two)).toEqual(first);
  expect(await names(two, token)).toEqual(['once']);
});

/** Sends a signed request for an object. */
async function object(
  { send }: Connected,
  ticket: UploadTicket['params'],
  method: string,
  query: string,
  body?: string | Buffer,
): Promise<ObjectReply> {
  const path = `/${ticket.bucket}/${ticket.key}`;
  const host = new URL(group.origin).host;
  const headers = signV4(ticket, { method, path, query, host, at: Date.now() });
  const reply = await send(`${group.origin}${path}?${query}`, {
    method,
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body ?? '')) },
    ...(body === undefined ? {} : { body: body as string }),
  });
  return objectReply(reply.status, Object.fromEntries(reply.headers), await reply.text());
}

test('an upload whose parts arrive at different processes becomes the file', async () => {
  const { token } = await signUp('uploading');
  const size = 1024 * 1024;
  const parts = Array.from({ length: 6 }, () => randomBytes(size));
  const created = await one.call(
    driveApi.create,
    { body: { kind: 'drive#file', name: 'parts.bin', size: parts.length * size } },
    token,
  );
  const ticket = created.resumable!.params;
  const replies = await Promise.all(
    parts.map((part, at) =>
      object(at % 2 ? one : two, ticket, 'PUT', `partNumber=${at + 1}&uploadId=${ticket.key}`, part),
    ),
  );
  expect(replies.map(({ status }) => status)).toEqual(parts.map(() => 200));
  const listed = await object(two, ticket, 'GET', `uploadId=${ticket.key}`);
  expect(listed.all('PartNumber')).toEqual(parts.map((_, at) => String(at + 1)));
  const etags = Object.fromEntries(replies.map(({ etag }, at) => [at + 1, etag]));
  const done = await object(one, ticket, 'POST', `uploadId=${ticket.key}`, completionDocument(etags));
  expect(done.status).toBe(200);
  const { web_content_link: link } = await two.call(
    driveApi.get,
    { params: { id: created.file!.id }, query: {} },
    token,
  );
  const bytes = Buffer.from(await (await fetch(new URL(link, group.origin))).arrayBuffer());
  expect(bytes.equals(Buffer.concat(parts))).toBe(true);
});

test('parallel changes through all processes are all made, none fails because the database is busy', async () => {
  const { token } = await signUp('busy');
  const lanes = [one, two].flatMap(({ call }, process) =>
    Array.from({ length: 4 }, async (_, lane) => {
      for (let made = 0; made < 40; made++)
        await call(
          driveApi.create,
          { body: { kind: 'drive#folder', name: `${process} ${lane} ${made}` } },
          token,
        );
    }),
  );
  await Promise.all(lanes);
  const { files } = await two.call(driveApi.list, { query: { limit: 1000 } }, token);
  expect(files).toHaveLength(2 * 4 * 40);
  expect(group.logged.filter(({ status }) => Number(status) >= 500)).toEqual([]);
});
