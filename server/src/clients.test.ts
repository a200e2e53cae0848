import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AddressInfo } from 'node:net';
import {
  bytes,
  eachDatabase,
  LOOPBACK_ALLOWED,
  openOrigin,
  openTestApp,
  PASSWORD,
  type Member,
  type Origin,
  type TestApp,
} from '../testing/index.ts';
import {
  connectOpenList,
  connectPikPakApi,
  connectRclone,
  connectShare,
  Refused,
  send,
  type Line,
} from '../testing/clients/index.ts';

// Clients written for the protocol, with their requests and parsers: see testing/clients/. Responses that
// they would not decode, or would wait for endlessly, fail here. The shape of each response is in
// testing/clients/golden/.

const MIB = 2 ** 20;

eachDatabase((dialect) => {
  let app: TestApp;
  let source: Origin;
  let line: Line;
  let people = 0;

  beforeAll(async () => {
    app = await openTestApp({ dialect, environment: { ...LOOPBACK_ALLOWED, SITE_URL: '' } });
    app.start();
    await app.http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.http.server.address() as AddressInfo;
    source = await openOrigin();
    source.put('/feather.bin', bytes(Buffer.alloc(70_000, 'feather')));
    line = { origin: `http://127.0.0.1:${port}`, answers: new Map() };
  });
  afterAll(async () => {
    await source[Symbol.asyncDispose]();
    await app.close();
  });

  const somebody = async (): Promise<Member> => app.signUp(`client-${(people += 1)}`);
  const freshLine = (): Line => ({ origin: line.origin, answers: new Map() });
  const credentials = ({ email }: Member) => ({ username: email, password: PASSWORD });
  const names = (files: readonly { name: string }[]): string[] => files.map(({ name }) => name).toSorted();

  /** Follows one of our links, whatever host it names. */
  async function follow(link: string): Promise<Buffer> {
    const { host, pathname, search } = new URL(link);
    const { status, body } = await send(line.origin, { method: 'GET', host, path: pathname + search });
    expect(status).toBe(200);
    return body;
  }

  async function untilSo<T>(ask: () => Promise<T>, isSo: (found: T) => boolean): Promise<T> {
    for (let tries = 0; ; tries++) {
      const found = await ask();
      if (isSo(found)) return found;
      if (tries > 100) throw new Error(`Gave up waiting; last result: ${JSON.stringify(found)}`);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }

  /** Shape of each response, without values that differ from run to run. */
  async function expectGolden({ answers }: Line, client: string): Promise<void> {
    for (const [name, answer] of answers)
      await expect(`${JSON.stringify(shapeOf(answer), undefined, 2)}\n`).toMatchFileSnapshot(
        `../testing/clients/golden/${client}-${name}.json`,
      );
  }

  test('rclone runs all of its operations on a drive', async () => {
    const own = freshLine();
    const rclone = await connectRclone(own, credentials(await somebody()));
    const nest = await rclone.mkdir('', 'nest');
    const whole = randomBytes(MIB + 17);
    await rclone.put(nest, 'empty.txt', Buffer.alloc(0));
    const one = await rclone.put(nest, 'whole.bin', whole);
    const parts = await rclone.put(nest, 'parts.bin', randomBytes(3 * MIB), MIB);
    expect((await rclone.get(one)).equals(whole)).toBe(true);
    expect((await rclone.get(one, 'bytes=1-3')).equals(whole.subarray(1, 4))).toBe(true);
    await rclone.put('', 'again.bin', whole);
    await rclone.refresh();
    expect(names(await rclone.list(nest))).toEqual(['empty.txt', 'parts.bin', 'whole.bin']);

    await rclone.copy([one], '');
    expect(names(await rclone.list(''))).toEqual(['again.bin', 'nest', 'whole.bin']);
    await rclone.move([parts], '');
    await rclone.rename(parts, 'renamed.bin');
    expect(names(await rclone.list(''))).toEqual(['again.bin', 'nest', 'renamed.bin', 'whole.bin']);
    await expect(rclone.rename(parts, 'whole.bin')).rejects.toMatchObject({ id: 'file_duplicated_name' });
    const share = await rclone.link(nest);
    expect(share.share_url).toContain('/s/');
    await rclone.userInfo();
    expect((await rclone.about()).quota.usage).toBe(3 * whole.length + 3 * MIB);
    await rclone.addUrl(source.at('/feather.bin'), '');
    await untilSo(
      async () => {
        const pack = (await rclone.list('')).find(({ name }) => name === 'My Pack');
        return pack ? names(await rclone.list(pack.id)) : [];
      },
      (found) => found.includes('feather.bin'),
    );

    await rclone.trash([nest]);
    expect(names(await rclone.list('', { trashed: true }))).toEqual(['nest']);
    await rclone.cleanup();
    expect(await rclone.list('', { trashed: true })).toEqual([]);
    await rclone.remove([parts]);
    await expect(rclone.get(parts)).rejects.toMatchObject({ id: 'file_not_found', status: 404 });
    await expectGolden(own, 'rclone');
  });

  describe.each(['web', 'android'] as const)('OpenList as %s', (platform) => {
    test('mounts and changes a drive', async () => {
      const own = freshLine();
      const openlist = await connectOpenList(own, { ...credentials(await somebody()), platform });
      await openlist.refresh();
      await openlist.mkdir('', 'nest');
      const nest = (await openlist.list(''))[0]!.id;
      const content = randomBytes(MIB + 5);
      await openlist.put(nest, 'whole & <odd>.bin', content);
      await openlist.put(nest, 'parts.bin', randomBytes(2 * MIB + 1), MIB);
      const files = await openlist.list(nest);
      expect(names(files)).toEqual(['parts.bin', 'whole & <odd>.bin']);
      const odd = files.find(({ name }) => name.startsWith('whole'))!;
      expect((await follow(await openlist.link(odd.id))).equals(content)).toBe(true);

      await openlist.rename(odd.id, 'plain.bin');
      await openlist.move(odd.id, '');
      await openlist.copy(odd.id, nest);
      expect(names(await openlist.list(nest))).toEqual(['parts.bin', 'plain.bin']);
      await openlist.remove(nest);
      expect(names(await openlist.list(''))).toEqual(['plain.bin']);
      expect((await openlist.details()).quota.usage).toBeGreaterThan(0);

      const { task } = await openlist.fetch(source.at('/feather.bin'), '');
      const { tasks } = await untilSo(
        () => openlist.tasks(),
        (found) => found.tasks.some(({ id, phase }) => id === task.id && phase === 'PHASE_TYPE_COMPLETE'),
      );
      expect(tasks[0]).toMatchObject({ file_name: 'feather.bin', file_size: 70_000, progress: 100 });
      await openlist.forget([task.id]);
      expect((await openlist.tasks()).tasks).toEqual([]);
      await expectGolden(own, 'openlist');
    });

    test('reports rejected operations and does not retry them endlessly', async () => {
      const openlist = await connectOpenList(freshLine(), { ...credentials(await somebody()), platform });
      await openlist.mkdir('', 'nest');
      const [nest] = await openlist.list('');
      // Drivers treat every error code 9 as an expired captcha.
      await expect(openlist.move(nest!.id, '')).rejects.toSatisfy(
        (error) => error instanceof Refused && error.code !== 9 && error.status >= 400,
      );
    });

    test('mounts a share by its address and passcode', async () => {
      const own = freshLine();
      const rclone = await connectRclone(freshLine(), credentials(await somebody()));
      const nest = await rclone.mkdir('', 'nest');
      await rclone.put(nest, 'egg.bin', Buffer.from('an egg'));
      const { share_id: shareId } = await rclone.link(nest);
      const share = await connectShare(own, { shareId, platform });
      const [root] = await share.list('');
      const [egg] = await share.list(root!.id);
      expect(egg).toMatchObject({ name: 'egg.bin', size: '6' });
      expect((await follow(await share.link(egg!.id))).toString()).toBe('an egg');
      await expectGolden(own, 'openlist');
    });
  });

  test('PikPakAPI signs in without a device id and refreshes an expired token', async () => {
    const own = freshLine();
    const ann = await connectPikPakApi(own, credentials(await somebody()));
    const { file } = await ann.mkdir('nest');
    ann.forgetAccess();
    expect(names((await ann.list('')).files)).toEqual(['nest']);
    const inner = (await ann.mkdir('inner', file.id)).file.id;
    await ann.moveToRoot([inner]);
    await ann.star([inner]);
    expect(names((await ann.list('*', { system_tag: { in: 'STAR' } })).files)).toEqual(['inner']);
    await ann.forget([inner, file.id]);
    expect(await ann.invite()).toEqual(await ann.invite());
    await ann.vip();
    await ann.transfers();
    await ann.events();
    const rclone = await connectRclone(freshLine(), credentials(await somebody()));
    const egg = await rclone.put('', 'egg.bin', Buffer.from('an egg'));
    const { share_id: share } = await rclone.link(egg);
    const { pass_code_token: token, files } = await ann.openShare(share);
    await ann.restore(share, token, [files[0]!.id]);
    expect(names((await ann.list('')).files)).toEqual(['Pack From Shared', 'inner', 'nest']);
    await expectGolden(own, 'pikpakapi');
  });

  test('PikPakAPI opens a share with its passcode and is rejected without it', async () => {
    const ann = await somebody();
    const rclone = await connectRclone(freshLine(), credentials(ann));
    const id = await rclone.put('', 'egg.bin', Buffer.from('an egg'));
    const reply = await ann.inject({
      method: 'POST',
      url: '/drive/v1/share',
      payload: { file_ids: [id], pass_code_option: 'REQUIRED' },
    });
    const { share_id: shareId, pass_code: passcode } = reply.json<{ share_id: string; pass_code: string }>();
    const share = await connectShare(freshLine(), { shareId, passcode });
    expect(names(await share.list(''))).toEqual(['egg.bin']);
    const guess = await connectShare(freshLine(), { shareId, passcode: 'zzzz' });
    await expect(guess.list('')).rejects.toThrow();
  });
});

const VOLATILE: Readonly<Record<string, string>> = {
  message: '<text>',
  share_text: '<text>',
  error_description: '<text>',
};
const ID = /\bV[0-9A-HJKMNP-TV-Z]{25,26}\b/g;
const TIME = /^\d{4}-\d\d-\d\dT[\d:.]+\+00:00$/;

/** Shape of a response: values that differ from run to run are replaced by their kind. */
function shapeOf(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map((each) => shapeOf(each));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, shapeOf(each, key)]));
  if (typeof value === 'number') return Number.isInteger(value) ? '<whole number>' : '<number>';
  if (typeof value !== 'string' || value === '') return value;
  if (VOLATILE[name]) return VOLATILE[name];
  if (TIME.test(value)) return '<time>';
  if (/^-?\d+$/.test(value)) return '<number within a string>';
  if (/^https?:/.test(value)) return '<address>';
  if (ID.test(value)) return value.replace(ID, '<id>');
  if (/^[0-9A-Fa-f]{40}$/.test(value)) return '<hash>';
  if (/^[0-9a-f]{32}$/.test(value) && name === 'md5_checksum') return '<md5>';
  return /token|secret|endpoint|key|code|email|url|nickname/.test(name) ? `<${name}>` : value;
}
