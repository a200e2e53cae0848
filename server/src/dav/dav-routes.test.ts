import { createHash, randomBytes } from 'node:crypto';
import { connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { driveApi, securityApi, shareApi, taskApi } from '@bowerbird/contract';
import { openBlobStore } from '@bowerbird/storage';
import { describe, expect, test } from 'vitest';
import {
  basic,
  davClient,
  eachDatabase,
  faultyStorage,
  LOCK_INFO,
  openTestApp,
  plant,
  turnableClock,
  type DavClient,
  type TestApp,
} from '../../testing/index.ts';

const HAZARDS = [
  '100% +plus #hash?.txt',
  `quotes ' " \`.txt`,
  '[brackets] {braces} (round);&=@,$!~*',
  'line\nbreak.txt',
  '🐦 文件 Ünï',
  'right\u202eto left',
  '<script>alert(1)<',
  '%2e%2e',
  '%41',
  '.hidden',
  '._resource',
  ' leading and trailing ',
  'e\u0301 decomposed',
  '\u2028 separators \u2029',
  '日'.repeat(85),
];

async function ann(
  app: TestApp,
): Promise<{ dav: DavClient; id: string; member: Awaited<ReturnType<TestApp['signUp']>> }> {
  const member = await app.signUp('ann');
  return {
    member,
    id: member.id,
    dav: davClient(app.http, { authorization: basic(member.email, member.password) }),
  };
}

/** Nothing is left behind, nothing is missing. */
async function expectWhole(app: TestApp): Promise<void> {
  expect(await app.drive.check({ repair: false })).toEqual([]);
  await expect.poll(() => Array.fromAsync(app.storage.staged())).toEqual([]);
}

const lastTime = (reply: { all(name: string): string[] }): number =>
  Date.parse(reply.all('getlastmodified')[0]!);

eachDatabase((dialect) => {
  describe('who is let in', () => {
    test('a program with an app password for WebDAV, or a token for the drive, and nobody else', async () => {
      await using app = await openTestApp({ dialect });
      const { member } = await ann(app);
      const make = (scopes: ('dav' | 'user')[], kind: 'app_password' | 'access_token' = 'app_password') =>
        member.call(securityApi.createPass, {
          body: { password: member.password, kind, name: 'Laptop', scopes },
        });
      const status = async (authorization: string | undefined, more: Record<string, string> = {}) =>
        (await davClient(app.http, { ...(authorization ? { authorization } : {}), ...more }).find('/', '0'))
          .status;
      const { secret, pass } = await make(['dav']);
      expect(await status(basic(member.email, secret))).toBe(207);
      expect(await status(basic(member.email, (await make(['user'])).secret))).toBe(401);
      expect(await status(`Bearer ${(await make(['dav'], 'access_token')).secret}`)).toBe(207);
      expect(await status(`Bearer ${(await make(['user'], 'access_token')).secret}`)).toBe(401);
      expect(await status(`Bearer ${member.accessToken}`)).toBe(207);
      expect(await status(basic('bob@example.org', secret))).toBe(401);
      expect(await status('Basic !!')).toBe(401);
      expect(await status(basic('', ''))).toBe(401);
      await member.call(securityApi.revokePass, { params: { id: pass.id } });
      expect(await status(basic(member.email, secret))).toBe(401);
      const asked = await davClient(app.http, {}).get('/');
      expect(asked.headers['www-authenticate']).toBe('Basic realm="Bowerbird", charset="UTF-8"');
    });

    test('a cookie is no key here, and a page of another site gets nothing, whatever its browser remembers', async () => {
      await using app = await openTestApp({ dialect });
      const { member, dav } = await ann(app);
      const signedIn = await app.http.inject({
        method: 'POST',
        url: '/v1/auth/signin',
        headers: { 'x-client-id': 'web', origin: 'http://drive.test', host: 'drive.test' },
        payload: { username: member.email, password: member.password },
      });
      const cookie = signedIn.cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
      expect((await davClient(app.http, { cookie }).find('/', '0')).status).toBe(401);
      const foreign = { origin: 'https://evil.test', 'sec-fetch-site': 'cross-site' };
      expect((await dav.get('/', foreign)).status).toBe(403);
      expect((await dav.put('/x', 'y', foreign)).status).toBe(403);
      const options = await dav.send('OPTIONS', '/', { headers: foreign });
      expect(Object.keys(options.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    });

    test('what the server can do is said to anyone, as Windows asks for it', async () => {
      await using app = await openTestApp({ dialect });
      const reply = await davClient(app.http, {
        'user-agent': 'Microsoft-WebDAV-MiniRedir/10.0',
        translate: 'f',
      }).send('OPTIONS', '/some/where');
      expect(reply.status).toBe(200);
      expect(reply.headers).toMatchObject({ dav: '1, 2, 3', 'ms-author-via': 'DAV' });
      expect(reply.headers['allow']).toContain('PROPFIND');
      const root = await davClient(app.http, {}, { base: '' }).send('OPTIONS', '/');
      expect([root.status, root.headers['dav']]).toEqual([200, '1, 2, 3']);
      expect((await davClient(app.http, {}).get('/%zz')).status).toBe(400);
    });

    test('on a host of its own the drive lies at the root, and addresses say so', async () => {
      await using app = await openTestApp({ dialect });
      const { member } = await ann(app);
      const own = davClient(
        app.http,
        { authorization: basic(member.email, member.password) },
        { host: 'api-dav.drive.test', base: '' },
      );
      expect((await own.put('/dav', 'a file of this name')).status).toBe(201);
      expect((await own.move('/dav', '/moved')).status).toBe(201);
      expect((await own.find('/', '1')).all('href')).toEqual(['/', '/moved']);
    });
  });

  describe('files', () => {
    test('every name goes in and out byte for byte, by every door', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, member } = await ann(app);
      for (const name of HAZARDS) {
        const path = `/${encodeURIComponent(name)}`;
        expect((await dav.put(path, name)).status, name).toBe(201);
        expect((await dav.get(path)).text, name).toBe(name);
        expect((await dav.send('MKCOL', `/d${encodeURIComponent(clip(name))}`)).status, name).toBe(201);
        expect((await dav.move(path, `/d${encodeURIComponent(clip(name))}${path}`)).status, name).toBe(201);
        const listed = await dav.find(`/d${encodeURIComponent(clip(name))}/`, '1');
        expect(
          listed.all('href').map((href) => decodeURIComponent(unescape(href)).split('/').at(-1)),
          name,
        ).toContain(name);
        expect(listed.all('displayname').map(unescape), name).toContain(name);
      }
      const { files } = await member.call(driveApi.list, { query: { limit: 100 } });
      expect(new Set(files.map(({ name }) => name))).toEqual(
        new Set(HAZARDS.map((name) => `d${clip(name)}`)),
      );
      for (const bad of ['a%2Fb', '%00', 'a%5Cb', 'x%01', 'y'.repeat(256), '%ED%A0%80']) {
        expect((await dav.put(`/${bad}`, 'x')).status, bad).toBe(400);
        expect((await dav.send('MKCOL', `/${bad}`)).status, bad).toBe(400);
      }
      await expectWhole(app);
    });

    test('a name is the same name however its letters are composed', async () => {
      await using app = await openTestApp({ dialect });
      const { dav } = await ann(app);
      await dav.put(`/${encodeURIComponent('caf\u00e9')}`, 'one');
      expect((await dav.get(`/${encodeURIComponent('cafe\u0301')}`)).text).toBe('one');
      expect((await dav.put(`/${encodeURIComponent('cafe\u0301')}`, 'two')).status).toBe(204);
      const moved = await dav.move(
        `/${encodeURIComponent('caf\u00e9')}`,
        `/${encodeURIComponent('cafe\u0301')}`,
      );
      expect(moved.status).toBe(201);
      expect((await dav.find('/', '1')).all('displayname')).toEqual(['cafe\u0301']);
    });

    test('ranges, conditions and validators are those of downloads', async () => {
      await using app = await openTestApp({ dialect });
      const { dav } = await ann(app);
      const bytes = randomBytes(300_000);
      const { headers } = await dav.put('/movie.mp4', bytes);
      const etag = String(headers['etag']);
      expect((await dav.get('/movie.mp4')).bytes.equals(bytes)).toBe(true);
      const probe = await dav.get('/movie.mp4', { range: 'bytes=0-1' });
      expect([probe.status, probe.bytes]).toEqual([206, bytes.subarray(0, 2)]);
      expect((await dav.get('/movie.mp4', { range: 'bytes=-5' })).bytes).toEqual(bytes.subarray(-5));
      expect((await dav.get('/movie.mp4', { range: 'bytes=900000-' })).status).toBe(416);
      expect((await dav.get('/movie.mp4', { range: 'bytes=0-1', 'if-range': '"stale"' })).status).toBe(200);
      expect((await dav.get('/movie.mp4', { 'if-none-match': etag })).status).toBe(304);
      const head = await dav.send('HEAD', '/movie.mp4');
      expect(head.headers).toMatchObject({ etag, 'content-length': '300000', 'accept-ranges': 'bytes' });
      expect(head.headers['cache-control']).toContain('no-cache');
      await dav.put('/page.html', '<script>alert(1)</script>');
      const page = await dav.get('/page.html');
      expect(page.headers['content-type']).toBe('application/octet-stream');
      expect(page.headers['content-disposition']).toContain('attachment');
      expect(page.headers['content-security-policy']).toContain('sandbox');
      expect((await dav.find('/movie.mp4', '0')).all('getetag').map(unescape)).toEqual([etag]);
    });

    test('writing over a file keeps it the file that it is: its id, its share; the trash stays empty', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, member, id } = await ann(app);
      await dav.put('/report.txt', 'first, and longer');
      const [file] = (await member.call(driveApi.list, { query: {} })).files;
      await member.call(shareApi.create, {
        body: {
          file_ids: [file!.id],
          share_to: 'publiclink',
          pass_code_option: 'NOT_REQUIRED',
          expiration_days: -1,
        },
      });
      expect((await dav.put('/report.txt', 'second')).status).toBe(204);
      await dav.put('/draft.tmp', 'third one');
      expect((await dav.move('/draft.tmp', '/report.txt')).status).toBe(204);
      await dav.put('/other.txt', 'fourth');
      expect((await dav.copy('/other.txt', '/report.txt')).status).toBe(204);
      expect((await dav.get('/report.txt')).text).toBe('fourth');
      const { files } = await member.call(driveApi.list, { query: {} });
      expect(
        files
          .toSorted((a, b) => a.name.localeCompare(b.name))
          .map(({ id: node, name, size }) => ({ node, name, size })),
      ).toEqual([
        { node: expect.any(String) as string, name: 'other.txt', size: '6' },
        { node: file!.id, name: 'report.txt', size: '6' },
      ]);
      const trash = await member.call(driveApi.list, {
        query: { parent_id: '*', filters: '{"trashed":{"eq":true}}' },
      });
      expect(trash.files).toEqual([]);
      expect(await app.quota.of(app.database, id)).toMatchObject({ used: 12, reserved: 0 });
      await expectWhole(app);
    });

    test('a body without a length, an empty one, and one of many megabytes arrive whole', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, member } = await ann(app);
      await app.http.listen({ port: 0, host: '127.0.0.1' });
      const origin = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}/dav`;
      const bytes = randomBytes(3 * 2 ** 20 + 77);
      const chunked = await fetch(`${origin}/chunked.bin`, {
        method: 'PUT',
        headers: dav.headers,
        duplex: 'half',
        body: new ReadableStream({
          start(controller) {
            for (let at = 0; at < bytes.length; at += 100_000)
              controller.enqueue(bytes.subarray(at, at + 100_000));
            controller.close();
          },
        }),
      } as RequestInit);
      expect(chunked.status).toBe(201);
      expect((await dav.put('/whole.bin', bytes)).status).toBe(201);
      expect((await dav.put('/empty.bin', '')).status).toBe(201);
      expect((await dav.get('/chunked.bin')).bytes.equals(bytes)).toBe(true);
      expect((await dav.get('/empty.bin')).bytes.length).toBe(0);
      const { files } = await member.call(driveApi.list, { query: {} });
      const hashes = new Map(files.map(({ name, hash }) => [name, hash]));
      expect(hashes.get('chunked.bin')).toBe(hashes.get('whole.bin'));
      expect((await dav.put('/part.bin', 'x', { 'content-range': 'bytes 0-0/5' })).status).toBe(400);
      await expectWhole(app);
    });

    test('times and checksums are kept as clients say them; a checksum that is wrong keeps the file out', async () => {
      await using app = await openTestApp({ dialect });
      const { dav } = await ann(app);
      const sha1 = createHash('sha1').update('content').digest('hex');
      const reply = await dav.put('/a.txt', 'content', {
        'x-oc-mtime': '1234567890.5',
        'oc-checksum': `SHA1:${sha1}`,
      });
      expect(reply.headers['x-oc-mtime']).toBe('accepted');
      const asked =
        '<propfind xmlns="DAV:"><prop><getlastmodified/><checksums xmlns="http://owncloud.org/ns"/></prop></propfind>';
      const found = await dav.find('/a.txt', '0', asked);
      expect(lastTime(found)).toBe(1_234_567_890_000);
      expect(found.all('checksum')).toEqual([`SHA1:${sha1}`]);
      expect((await dav.put('/b.txt', 'other', { 'oc-checksum': `SHA1:${sha1}` })).status).toBe(400);
      const md5 = createHash('md5').update('other').digest('base64');
      expect((await dav.put('/b.txt', 'another', { 'content-md5': md5 })).status).toBe(400);
      expect((await dav.get('/b.txt')).status).toBe(404);
      expect((await dav.put('/b.txt', 'other', { 'content-md5': md5 })).status).toBe(201);
      await expectWhole(app);
    });

    test('conditions protect what others wrote', async () => {
      await using app = await openTestApp({ dialect });
      const { dav } = await ann(app);
      expect((await dav.put('/a', '1', { 'if-none-match': '*' })).status).toBe(201);
      expect((await dav.put('/a', '2', { 'if-none-match': '*' })).status).toBe(412);
      const etag = String((await dav.put('/a', '3')).headers['etag']);
      expect((await dav.put('/a', '4', { 'if-match': '"other"' })).status).toBe(412);
      expect((await dav.put('/a', '5', { 'if-match': etag })).status).toBe(204);
      expect((await dav.send('DELETE', '/a', { headers: { 'if-match': etag } })).status).toBe(412);
      expect((await dav.put('/new', '1', { 'if-match': '*' })).status).toBe(412);
      expect((await dav.put('/a', '6', { if: `([${etag}])` })).status).toBe(412);
      expect((await dav.put('/a', '6', { if: `(Not [${etag}])` })).status).toBe(204);
    });

    test('two who write one name at once leave one whole body, charged once', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, id } = await ann(app);
      const bodies = Array.from({ length: 6 }, (_, at) => randomBytes(200_000 + at));
      const replies = await Promise.all(bodies.map((body) => dav.put('/one.bin', body)));
      expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        201, 204, 204, 204, 204, 204,
      ]);
      const { bytes } = await dav.get('/one.bin');
      expect(bodies.some((body) => body.equals(bytes))).toBe(true);
      expect((await dav.find('/', '1')).all('displayname')).toEqual(['one.bin']);
      expect(await app.quota.of(app.database, id)).toMatchObject({ used: bytes.length, reserved: 0 });
      await expectWhole(app);
    });

    test('a body that breaks off changes nothing and leaves nothing', async () => {
      await using app = await openTestApp({ dialect });
      const { dav } = await ann(app);
      await dav.put('/kept.txt', 'as it was');
      await app.http.listen({ port: 0, host: '127.0.0.1' });
      const { port } = app.http.server.address() as AddressInfo;
      for (const framing of ['Content-Length: 1000000', 'Transfer-Encoding: chunked']) {
        const socket = connect(port, '127.0.0.1');
        socket.write(
          `PUT /dav/kept.txt HTTP/1.1\r\nHost: h\r\nAuthorization: ${dav.headers['authorization']}\r\n${framing}\r\n\r\n`,
        );
        socket.write(framing.includes('chunked') ? `ffff\r\n${'x'.repeat(0xffff)}\r\n` : 'x'.repeat(100_000));
        await expect.poll(async () => (await Array.fromAsync(app.storage.staged())).length).toBe(1);
        socket.destroy();
        await once(socket, 'close');
        await expect.poll(() => Array.fromAsync(app.storage.staged())).toEqual([]);
      }
      expect((await dav.get('/kept.txt')).text).toBe('as it was');
      await expectWhole(app);
    });
  });

  describe('limits', () => {
    test('a full drive says 507 before the bytes, or as soon as they are too many; what was there stays', async () => {
      await using app = await openTestApp({ dialect, environment: { MEMBER_STORAGE: '1000 B' } });
      const { dav, id } = await ann(app);
      expect((await dav.put('/a', Buffer.alloc(600))).status).toBe(201);
      const refused = await dav.put('/b', Buffer.alloc(401));
      expect(refused.status).toBe(507);
      expect(refused.text).toContain('quota-not-exceeded');
      expect((await dav.put('/b', Buffer.alloc(401), { 'transfer-encoding': 'chunked' })).status).toBe(507);
      expect((await dav.copy('/a', '/c')).status).toBe(507);
      // What is written over makes room for what comes.
      expect((await dav.put('/a', Buffer.alloc(1000))).status).toBe(204);
      expect((await dav.put('/a', Buffer.alloc(10))).status).toBe(204);
      const asked =
        '<propfind xmlns="DAV:"><prop><quota-available-bytes/><quota-used-bytes/></prop></propfind>';
      const found = await dav.find('/', '0', asked);
      expect([found.all('quota-available-bytes'), found.all('quota-used-bytes')]).toEqual([['990'], ['10']]);
      expect(await app.quota.of(app.database, id)).toMatchObject({ used: 10, reserved: 0 });
      await expectWhole(app);
    });

    test('a full or failing storage is told apart, and nothing is lost by it', async () => {
      const { storage, faults } = faultyStorage(await openBlobStore('memory:'));
      await using app = await openTestApp({ dialect, storage });
      const { dav } = await ann(app);
      await dav.put('/a', 'as it was');
      faults.freeSpace = 0;
      const refused = await dav.put('/a', 'more');
      expect([refused.status, refused.all('message').length]).toEqual([507, 1]);
      expect(refused.text).toContain('sufficient-disk-space');
      faults.freeSpace = undefined;
      faults.writePart = new Error('the disk broke');
      expect((await dav.put('/a', 'more')).status).toBe(500);
      faults.writePart = undefined;
      expect((await dav.get('/a')).text).toBe('as it was');
      await expectWhole(app);
    });
  });

  describe('folders', () => {
    test('a large one is listed whole, in pages, while the loop goes on', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, id } = await ann(app);
      const many = Object.fromEntries(
        Array.from({ length: 600 }, (_, at) => [`file ${at}.txt`, `${at % 7}`]),
      );
      await plant(app, id, { many });
      let turns = 0;
      let counting = setImmediate(function count() {
        turns += 1;
        counting = setImmediate(count);
      });
      const reply = await dav.find('/many', '1');
      clearImmediate(counting);
      expect(reply.status).toBe(207);
      expect(new Set(reply.all('href')).size).toBe(601);
      expect(reply.all('getcontentlength')).toHaveLength(600);
      expect(turns).toBeGreaterThan(2);
      const page = await dav.get('/many/');
      expect(page.text.match(/<li>/g)).toHaveLength(601);
      const endless = await dav.send('PROPFIND', '/many');
      expect(endless.status).toBe(403);
      expect(endless.text).toContain('propfind-finite-depth');
    });

    test('what is deleted lies in the trash; what a folder or file takes the place of does, too', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, member, id } = await ann(app);
      await plant(app, id, { a: { x: '1' }, b: { y: '2' }, f: '3' });
      expect((await dav.move('/a', '/b', { overwrite: 'F' })).status).toBe(412);
      expect((await dav.move('/a', '/b')).status).toBe(204);
      expect((await dav.find('/b', '1')).all('displayname')).toEqual(['b', 'x']);
      expect((await dav.copy('/f', '/b')).status).toBe(204);
      expect((await dav.send('DELETE', '/f')).status).toBe(204);
      expect((await dav.get('/f')).status).toBe(404);
      const trash = await member.call(driveApi.list, {
        query: { parent_id: '*', filters: '{"trashed":{"eq":true}}' },
      });
      expect(trash.files.map(({ name }) => name).toSorted()).toEqual(['b', 'b', 'f']);
      await expectWhole(app);
    });

    test('what makes no sense is refused, and the tree is as it was', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, id } = await ann(app);
      await plant(app, id, { a: { b: { c: 'text' } }, f: 'file' });
      const tree = async () => [
        (await dav.find('/a/b', '1')).all('href'),
        (await dav.find('/', '1')).all('href'),
      ];
      const before = await tree();
      const refusals: [string, string, string | undefined, Record<string, string>, number][] = [
        ['MOVE', '/a', '/a/b/new', {}, 403],
        ['COPY', '/a', '/a/b/new', {}, 403],
        ['MOVE', '/a/b', '/a', {}, 403],
        ['COPY', '/a/b', '/a', { depth: '0' }, 403],
        ['MOVE', '/a', '/a', {}, 403],
        ['COPY', '/f', '/f', {}, 403],
        ['MOVE', '/', '/x', {}, 403],
        ['MOVE', '/f', '/', {}, 403],
        ['DELETE', '/', undefined, {}, 403],
        ['MOVE', '/f', '/nowhere/f', {}, 409],
        ['MOVE', '/f', '/f/x', {}, 409],
        ['MOVE', '/none', '/x', {}, 404],
        ['MOVE', '/f', '/x%2Fy', {}, 400],
        ['MOVE', '/f', '/a/../x', {}, 400],
        ['MOVE', '/f', undefined, { destination: 'http://evil.test/dav/x' }, 502],
        ['MOVE', '/f', undefined, {}, 400],
        ['COPY', '/a', '/x', { depth: '1' }, 400],
        ['MOVE', '/a', '/x', { depth: '0' }, 400],
        ['DELETE', '/a', undefined, { depth: '0' }, 400],
        ['PUT', '/a', undefined, {}, 405],
        ['PUT', '/', undefined, {}, 405],
        ['PUT', '/none/x', undefined, {}, 409],
        ['MKCOL', '/a', undefined, {}, 405],
        ['MKCOL', '/none/x', undefined, {}, 409],
        ['POST', '/a', undefined, {}, 405],
        ['PROPFIND', '/a', undefined, { depth: '2' }, 400],
        ['UNLOCK', '/f', undefined, {}, 400],
        ['UNLOCK', '/f', undefined, { 'lock-token': '<urn:uuid:none>' }, 409],
        ['LOCK', '/f', undefined, {}, 400],
        ['GET', '/f', undefined, { if: 'nonsense' }, 400],
      ];
      for (const [method, path, to, headers, status] of refusals) {
        const destination = to === undefined ? {} : { destination: `/dav${to}` };
        const reply = await dav.send(method, path, { headers: { ...destination, ...headers } });
        expect([method, path, to, reply.status]).toEqual([method, path, to, status]);
      }
      expect(await tree()).toEqual(before);
    });

    test('a thousand and more are copied in one request, under another name, with what clients kept with them', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, id } = await ann(app);
      const files = Object.fromEntries(Array.from({ length: 260 }, (_, at) => [`f${at}`, 'x']));
      await plant(app, id, { small: { inner: files }, big: {} });
      const set =
        '<propertyupdate xmlns="DAV:"><set><prop><mine xmlns="urn:x">yes</mine></prop></set></propertyupdate>';
      for (const path of ['/small/inner/f5', '/small/inner', '/small'])
        expect((await dav.send('PROPPATCH', path, { body: set })).status).toBe(207);
      for (const copy of ['/big/1', '/big/2', '/big/3', '/big/4'])
        expect((await dav.copy('/small', copy)).status).toBe(201);
      app.jobs.start();
      expect((await dav.copy('/big', '/copy of big')).status).toBe(201);
      await app.jobs.stop();
      expect((await dav.copy('/small', '/shallow', { depth: '0' })).status).toBe(201);
      expect((await dav.find('/copy of big/4/inner', '1')).all('href')).toHaveLength(261);
      for (const path of ['/copy of big/3/inner/f5', '/big/1/inner', '/copy of big/2', '/shallow'])
        expect((await dav.find(path, '0')).all('mine'), path).toEqual(['yes']);
      expect((await dav.find('/shallow', '1')).all('href')).toHaveLength(1);
      expect(await app.quota.of(app.database, id)).toMatchObject({ used: 9 * 260, reserved: 0 });
      await expectWhole(app);
    });
  });

  test('a server that ends waits for nobody who waits for a copy; the copy is there after the next start', async () => {
    await using app = await openTestApp({ dialect });
    const { dav, id, member } = await ann(app);
    const files = Object.fromEntries(Array.from({ length: 260 }, (_, at) => [`f${at}`, 'x']));
    await plant(app, id, { big: { 0: files } });
    for (const copy of ['/big/1', '/big/2', '/big/3']) await dav.copy('/big/0', copy);
    await app.http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.http.server.address() as AddressInfo;
    const copying = fetch(`http://127.0.0.1:${port}/dav/big`, {
      method: 'COPY',
      headers: { ...dav.headers, destination: '/dav/copy' },
    });
    await expect
      .poll(async () => (await member.call(taskApi.list, { query: { type: 'copy' } })).tasks.length)
      .toBe(1);
    const closed = app.http.close();
    expect((await copying).status).toBe(503);
    await closed;
    await app.jobs.drain();
    expect(await app.nodes.taken(app.database, id, ['copy'])).toHaveLength(1);
  });

  describe('properties', () => {
    test('what a client sets it finds again, until it removes it; all of a request or nothing', async () => {
      await using app = await openTestApp({ dialect });
      const { dav } = await ann(app);
      await dav.put('/a', 'x');
      const patch = (inner: string) =>
        dav.send('PROPPATCH', '/a', {
          body: `<D:propertyupdate xmlns:D="DAV:" xmlns:z="urn:z">${inner}</D:propertyupdate>`,
        });
      const value = async () => (await dav.find('/a', '0')).all('p');
      await patch('<D:set><D:prop><z:p xml:lang="de">&lt;eins&gt; <b xmlns="">🐦</b></z:p></D:prop></D:set>');
      expect(await value()).toEqual(['&lt;eins&gt; <b xmlns="">🐦</b>']);
      const both = await patch('<D:set><D:prop><z:p>two</z:p><D:getetag>"mine"</D:getetag></D:prop></D:set>');
      expect(both.all('status')).toEqual(['HTTP/1.1 424 Failed Dependency', 'HTTP/1.1 403 Forbidden']);
      expect(both.text).toContain('cannot-modify-protected-property');
      expect(await value()).toHaveLength(1);
      await patch('<D:set><D:prop><z:p>1</z:p></D:prop></D:set><D:remove><D:prop><z:p/></D:prop></D:remove>');
      expect(await value()).toEqual([]);
      const large = `<D:set><D:prop><z:p>${'x'.repeat(70_000)}</z:p></D:prop></D:set>`;
      expect((await patch(large)).all('status')).toEqual(['HTTP/1.1 507 Insufficient Storage']);
      const missing = await dav.find(
        '/a',
        '0',
        '<propfind xmlns="DAV:"><prop><z xmlns="urn:z"/><n xmlns=""/></prop></propfind>',
      );
      expect(missing.all('status')).toEqual(['HTTP/1.1 404 Not Found']);
      const names = await dav.find('/a', '0', '<propfind xmlns="DAV:"><propname/></propfind>');
      expect(names.text).toContain('<D:getetag/>');
    });

    test('the times that Windows and others set are those of the file', async () => {
      await using app = await openTestApp({ dialect });
      const { dav } = await ann(app);
      await dav.put('/a', 'x');
      const set = (property: string) =>
        dav.send('PROPPATCH', '/a', {
          body: `<propertyupdate xmlns="DAV:"><set><prop>${property}</prop></set></propertyupdate>`,
        });
      const windows = await set(
        '<Z:Win32CreationTime xmlns:Z="urn:schemas-microsoft-com:">Fri, 13 Feb 2009 23:31:30 GMT</Z:Win32CreationTime>' +
          '<Z:Win32LastModifiedTime xmlns:Z="urn:schemas-microsoft-com:">Sun, 09 Sep 2001 01:46:40 GMT</Z:Win32LastModifiedTime>' +
          '<Z:Win32FileAttributes xmlns:Z="urn:schemas-microsoft-com:">00000020</Z:Win32FileAttributes>',
      );
      expect(windows.all('status')).toEqual(['HTTP/1.1 200 OK']);
      const found = await dav.find('/a', '0');
      expect(lastTime(found)).toBe(1_000_000_000_000);
      expect(found.all('Win32FileAttributes')).toEqual(['00000020']);
      await set('<lastmodified>1234567890</lastmodified>');
      expect(lastTime(await dav.find('/a', '0'))).toBe(1_234_567_890_000);
      expect((await set('<lastmodified>soon</lastmodified>')).all('status')).toEqual([
        'HTTP/1.1 409 Conflict',
      ]);
    });

    test('they go with a file that moves, and are forgotten with one that is gone for good', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, member } = await ann(app);
      const body =
        '<propertyupdate xmlns="DAV:"><set><prop><p xmlns="urn:z">1</p></prop></set></propertyupdate>';
      await dav.put('/a', 'x', { 'oc-checksum': `MD5:${createHash('md5').update('x').digest('hex')}` });
      await dav.send('PROPPATCH', '/a', { body });
      await dav.move('/a', '/b');
      expect((await dav.find('/b', '0')).all('p')).toEqual(['1']);
      await dav.put('/c', 'y');
      await dav.move('/b', '/c');
      expect((await dav.find('/c', '0')).all('p')).toEqual(['1']);
      const [file] = (await member.call(driveApi.list, { query: {} })).files;
      await member.call(driveApi.remove, { params: { id: file!.id } });
      await app.drive.collector.collect(new AbortController().signal, -1);
      await app.database.transaction((tx) => app.jobs.enqueue(tx, 'forget-dav-properties', null));
      await app.jobs.drain();
      const left = await app.database
        .on<{ dav_property: { node: string }; dav_checksum: { content: string } }>()
        .selectFrom(['dav_property', 'dav_checksum'])
        .selectAll()
        .execute();
      expect(left).toEqual([]);
    });
  });

  describe('locks', () => {
    test('hold a file, and everything in a folder, against whoever has no token', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, id } = await ann(app);
      await plant(app, id, { f: 'x', d: { e: { g: 'y' } } });
      const held = { f: await dav.lock('/f'), d: await dav.lock('/d') };
      const attempts: [string, string, Record<string, string>][] = [
        ['PUT', '/f', {}],
        ['DELETE', '/f', {}],
        ['MOVE', '/f', { destination: '/dav/x' }],
        ['COPY', '/d/e/g', { destination: '/dav/f' }],
        ['PUT', '/d/new', {}],
        ['PUT', '/d/e/g', {}],
        ['MKCOL', '/d/e/new', {}],
        ['DELETE', '/d', {}],
        ['MOVE', '/d/e/g', { destination: '/dav/g' }],
      ];
      for (const [method, path, headers] of attempts) {
        const reply = await dav.send(method, path, { headers });
        expect([method, path, reply.status]).toEqual([method, path, 423]);
        expect(reply.text).toContain('lock-token-submitted');
      }
      expect((await dav.copy('/f', '/copy')).status).toBe(201);
      expect((await dav.put('/copy', 'free')).status).toBe(204);
      expect((await dav.put('/d/e/g', 'z', { if: `(<${held.f}>)` })).status).toBe(412);
      expect((await dav.put('/d/e/g', 'z', { if: `(<${held.d}>)` })).status).toBe(204);
      expect(
        (await dav.move('/f', '/d/f', { if: `</dav/f> (<${held.f}>) </dav/d> (<${held.d}>)` })).status,
      ).toBe(201);
      const unlocked = await dav.send('UNLOCK', '/d/e', { headers: { 'lock-token': `<${held.d}>` } });
      expect(unlocked.status).toBe(204);
      expect((await dav.put('/d/f', 'moved, so it is free')).status).toBe(204);
    });

    test('of one kind exclude each other, of the other they don’t; a folder is not locked over what lies in it', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, id } = await ann(app);
      await plant(app, id, { d: { f: 'x' } });
      const refusedLock = (path: string, scope: 'exclusive' | 'shared', depth = 'infinity') =>
        dav.send('LOCK', path, { body: LOCK_INFO(scope), headers: { depth } }).then(({ status }) => status);
      const [one, two] = [await dav.lock('/d/f', { shared: true }), await dav.lock('/d/f', { shared: true })];
      expect(await refusedLock('/d/f', 'exclusive')).toBe(423);
      expect(await refusedLock('/d', 'exclusive')).toBe(423);
      expect(await refusedLock('/d', 'exclusive', '0')).toBe(200);
      expect((await dav.put('/d/f', 'y', { if: `(<${two}>)` })).status).toBe(204);
      expect(one).not.toBe(two);
      const racing = await Promise.all(
        Array.from({ length: 8 }, () => dav.send('LOCK', '/race', { body: LOCK_INFO('exclusive') })),
      );
      expect(racing.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        201, 423, 423, 423, 423, 423, 423, 423,
      ]);
    });

    test('on a name that nothing has make an empty file, which is written with the token', async () => {
      await using app = await openTestApp({ dialect });
      const { dav } = await ann(app);
      const token = await dav.lock('/new.docx');
      expect((await dav.get('/new.docx')).text).toBe('');
      expect((await dav.put('/new.docx', 'no')).status).toBe(423);
      expect((await dav.put('/new.docx', 'yes', { if: `(<${token}>)` })).status).toBe(204);
      expect((await dav.send('LOCK', '/none/x', { body: LOCK_INFO('exclusive') })).status).toBe(409);
      expect((await dav.find('/new.docx', '0')).all('locktoken')).toEqual([`<D:href>${token}</D:href>`]);
      await expectWhole(app);
    });

    test('end by themselves unless they are held on to', async () => {
      const clock = turnableClock();
      await using app = await openTestApp({ dialect, clock });
      const { dav } = await ann(app);
      await dav.put('/f', 'x');
      const reply = await dav.send('LOCK', '/f', {
        body: LOCK_INFO('exclusive'),
        headers: { timeout: 'Infinite, Second-600' },
      });
      expect(reply.all('timeout')).toEqual(['Second-600']);
      const token = /<(.+)>/.exec(String(reply.headers['lock-token']))![1]!;
      clock.advance(500_000);
      const refreshed = await dav.send('LOCK', '/f', {
        headers: { if: `(<${token}>)`, timeout: 'Second-4100000000' },
      });
      expect([refreshed.status, refreshed.all('timeout')]).toEqual([200, ['Second-3600']]);
      clock.advance(3_599_000);
      expect((await dav.put('/f', 'y')).status).toBe(423);
      clock.advance(2000);
      expect((await dav.put('/f', 'y')).status).toBe(204);
      expect((await dav.send('LOCK', '/f', { headers: { if: `(<${token}>)` } })).status).toBe(412);
    });
  });

  describe('the habits of', () => {
    test('Windows Explorer: an empty file, a lock, times, the content, the lock again', async () => {
      await using app = await openTestApp({ dialect });
      const { member } = await ann(app);
      const windows = davClient(app.http, {
        authorization: basic(member.email, member.password),
        'user-agent': 'Microsoft-WebDAV-MiniRedir/10.0.19045',
        translate: 'f',
      });
      expect((await windows.find('/', '0')).status).toBe(207);
      expect((await windows.find('/Neues Dokument.docx', '0')).status).toBe(404);
      expect((await windows.put('/Neues Dokument.docx', '')).status).toBe(201);
      const locked = await windows.send('LOCK', '/Neues Dokument.docx', {
        body: LOCK_INFO('exclusive'),
        headers: { timeout: 'Second-3600', depth: '0', 'content-type': 'text/xml; charset="utf-8"' },
      });
      const token = String(locked.headers['lock-token']);
      const held = { if: `(${token})` };
      const times = (tag: string): string =>
        `<?xml version="1.0" encoding="utf-8" ?><D:propertyupdate xmlns:D="DAV:" xmlns:Z="urn:schemas-microsoft-com:"><D:set><D:prop><Z:Win32CreationTime>Sun, 09 Sep 2001 01:46:40 GMT</Z:Win32CreationTime><Z:Win32LastModifiedTime>${tag}</Z:Win32LastModifiedTime><Z:Win32FileAttributes>00000000</Z:Win32FileAttributes></D:prop></D:set></D:propertyupdate>`;
      const patch = (tag: string) =>
        windows.send('PROPPATCH', '/Neues Dokument.docx', { body: times(tag), headers: held });
      expect((await patch('Fri, 13 Feb 2009 23:31:30 GMT')).status).toBe(207);
      expect((await windows.send('HEAD', '/Neues Dokument.docx')).headers['content-length']).toBe('0');
      expect((await windows.put('/Neues Dokument.docx', 'words', held)).status).toBe(204);
      expect((await patch('Fri, 13 Feb 2009 23:31:31 GMT')).status).toBe(207);
      const unlocked = await windows.send('UNLOCK', '/Neues Dokument.docx', {
        headers: { 'lock-token': token },
      });
      expect(unlocked.status).toBe(204);
      const found = await windows.find('/', '1');
      expect(found.all('getcontentlength')).toEqual(['5']);
      expect(Date.parse(found.all('getlastmodified').at(-1)!)).toBe(1_234_567_891_000);
    });

    test('Finder: its own small files, a lock, a body of unknown length, a safe save', async () => {
      await using app = await openTestApp({ dialect });
      const { member } = await ann(app);
      const finder = davClient(app.http, {
        authorization: basic(member.email, member.password),
        'user-agent': 'WebDAVFS/3.0.0 (03008000) Darwin/23.0.0 (x86_64)',
      });
      const wish =
        '<D:propfind xmlns:D="DAV:"><D:prop><D:getlastmodified/><D:getcontentlength/><D:creationdate/><D:resourcetype/><D:quota-available-bytes/><D:quota-used-bytes/><D:quota/><D:quotaused/></D:prop></D:propfind>';
      expect((await finder.find('/', '0', wish)).all('quota-used-bytes')).toEqual(['0']);
      for (const name of ['.DS_Store', '._photo.jpg']) {
        expect((await finder.find(`/${name}`, '0', wish)).status).toBe(404);
        expect((await finder.put(`/${name}`, 'Mac OS X')).status).toBe(201);
      }
      const token = await finder.lock('/photo.jpg', { depth: '0' });
      const body = { 'transfer-encoding': 'chunked', 'x-expected-entity-length': '12', if: `(<${token}>)` };
      expect((await finder.put('/photo.jpg', 'twelve bytes', body)).status).toBe(204);
      const unlocked = await finder.send('UNLOCK', '/photo.jpg', { headers: { 'lock-token': `<${token}>` } });
      expect(unlocked.status).toBe(204);
      await finder.put('/photo.jpg.sb-1a2b', 'better');
      expect((await finder.move('/photo.jpg.sb-1a2b', '/photo.jpg', { overwrite: 'T' })).status).toBe(204);
      expect((await finder.get('/photo.jpg', { range: 'bytes=0-3' })).text).toBe('bett');
      expect((await finder.find('/', '1', wish)).all('href')).toEqual([
        '/dav/',
        '/dav/._photo.jpg',
        '/dav/.DS_Store',
        '/dav/photo.jpg',
      ]);
    });
  });

  test('what strangers send as XML is read with measure', async () => {
    await using app = await openTestApp({ dialect });
    const { dav } = await ann(app);
    const bomb =
      '<!DOCTYPE a [<!ENTITY b "c"><!ENTITY d "&b;&b;&b;">]><propfind xmlns="DAV:"><prop><a>&d;</a></prop></propfind>';
    expect((await dav.find('/', '0', bomb)).status).toBe(400);
    expect((await dav.find('/', '0', '<propfind xmlns="DAV:">')).status).toBe(400);
    expect((await dav.find('/', '0', '<other/>')).status).toBe(400);
    expect(
      (await dav.find('/', '0', `<propfind xmlns="DAV:">${' '.repeat(2 ** 20)}<allprop/></propfind>`)).status,
    ).toBe(413);
    expect((await dav.send('PROPPATCH', '/', { body: '' })).status).toBe(400);
    expect((await dav.send('LOCK', '/', { body: '<lockinfo xmlns="DAV:"/>' })).status).toBe(400);
  });
});

const clip = (name: string): string => (Buffer.byteLength(name) > 250 ? name.slice(0, 80) : name);

function unescape(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
}
