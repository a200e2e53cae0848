import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { driveApi, shareApi } from '@bowerbird/contract';
import { openBlobStore } from '@bowerbird/storage';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import {
  drivenByAnn,
  eachDatabase,
  expectWhole,
  faultyStorage,
  openTestApp,
  plainText,
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

const clip = (name: string): string => (Buffer.byteLength(name) > 250 ? name.slice(0, 80) : name);

const lastTime = (reply: { all(name: string): string[] }): number =>
  Date.parse(reply.all('getlastmodified')[0]!);

eachDatabase((dialect) => {
  describe('WebDAV files', () => {
    test('keep every name byte for byte, written and read by WebDAV or by the API', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, member } = await drivenByAnn(app);
      for (const name of HAZARDS) {
        const path = `/${encodeURIComponent(name)}`;
        expect((await dav.put(path, name)).status, name).toBe(201);
        expect((await dav.get(path)).text, name).toBe(name);
        expect((await dav.send('MKCOL', `/d${encodeURIComponent(clip(name))}`)).status, name).toBe(201);
        expect((await dav.move(path, `/d${encodeURIComponent(clip(name))}${path}`)).status, name).toBe(201);
        const listed = await dav.find(`/d${encodeURIComponent(clip(name))}/`, '1');
        expect(
          listed.all('href').map((href) => decodeURIComponent(plainText(href)).split('/').at(-1)),
          name,
        ).toContain(name);
        expect(listed.all('displayname').map(plainText), name).toContain(name);
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

    test('are found by any Unicode normalization form of their name', async () => {
      await using app = await openTestApp({ dialect });
      const { dav } = await drivenByAnn(app);
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

    test('support the same ranges, conditions and validators as downloads', async () => {
      await using app = await openTestApp({ dialect });
      const { dav } = await drivenByAnn(app);
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
      expect((await dav.find('/movie.mp4', '0')).all('getetag').map(plainText)).toEqual([etag]);
    });

    test('keep their id and their share when they are overwritten, and nothing is moved to the trash', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, member, id } = await drivenByAnn(app);
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
      // The first content is a version; those that followed within minutes aren't kept.
      const [first, present] = ['first, and longer'.length, 2 * 'fourth'.length];
      expect(await app.quota.of(app.database, id)).toMatchObject({ used: first + present, reserved: 0 });
      await expectWhole(app);
    });

    test('arrive complete from a body without a length, an empty body, and one of many megabytes', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, member } = await drivenByAnn(app);
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

    test('keep the times that clients set; an upload with a wrong checksum is rejected', async () => {
      await using app = await openTestApp({ dialect });
      const { dav } = await drivenByAnn(app);
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
      const md5OfIt = createHash('md5').update('content').digest('hex');
      expect(found.all('checksum')).toEqual([`SHA1:${sha1} MD5:${md5OfIt}`]);
      expect(reply.headers['oc-checksum']).toBe(`SHA1:${sha1}`);
      expect((await dav.get('/a.txt')).headers['oc-checksum']).toBe(`SHA1:${sha1}`);
      // Every stated checksum is verified.
      const lines = [`SHA1:${sha1} MD5:${md5OfIt}`, `md5:${md5OfIt.toUpperCase()}`, `ADLER32:1 SHA1:${sha1}`];
      for (const line of lines)
        expect((await dav.put('/a.txt', 'content', { 'oc-checksum': line })).status).toBe(204);
      for (const line of [`SHA1:${sha1} MD5:${sha1}`, `MD5:${md5OfIt} SHA1:`, 'SHA256:00'])
        expect((await dav.put('/a.txt', 'content', { 'oc-checksum': line })).status).toBe(400);
      expect((await dav.put('/b.txt', 'other', { 'oc-checksum': `SHA1:${sha1}` })).status).toBe(400);
      const md5 = createHash('md5').update('other').digest('base64');
      expect((await dav.put('/b.txt', 'another', { 'content-md5': md5 })).status).toBe(400);
      expect((await dav.get('/b.txt')).status).toBe(404);
      expect((await dav.put('/b.txt', 'other', { 'content-md5': md5 })).status).toBe(201);
      await expectWhole(app);
    });

    test('keep their date if a client sets one outside the years 1 to 9999, or one that does not exist', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, member } = await drivenByAnn(app);
      const listed = async (): Promise<string[]> =>
        (await member.call(driveApi.list, { query: {} })).files.map(({ modified_time: time }) => time);
      for (const [time, expected] of [
        ['253402300799', '9999-12-31T23:59:59.000+00:00'],
        ['-62135596800', '0001-01-01T00:00:00.000+00:00'],
        ['Fri, 01 May 2020 12:30:15 GMT', '2020-05-01T12:30:15.000+00:00'],
      ]) {
        expect((await dav.put('/a', time!, { 'x-oc-mtime': time! })).headers['x-oc-mtime']).toBe('accepted');
        expect(await listed()).toEqual([expected]);
      }
      for (const time of ['253402300800', '1588336215000', '-62135596801', 'yesterday', 'NaN', '1e9', '']) {
        const reply = await dav.put('/a', `at ${time}`, { 'x-oc-mtime': time });
        expect(reply.status, time).toBe(204);
        expect(reply.headers['x-oc-mtime'], time).toBeUndefined();
        expect(await listed(), time).toEqual([expect.stringMatching(/^20\d\d-/)]);
      }
      const set = (time: string) =>
        `<propertyupdate xmlns="DAV:"><set><prop><Win32LastModifiedTime xmlns="urn:schemas-microsoft-com:">${time}</Win32LastModifiedTime></prop></set></propertyupdate>`;
      const change = async (time: string) =>
        (await dav.send('PROPPATCH', '/a', { body: set(time) })).all('status').join();
      expect(await change('Fri, 01 May 2020 12:30:15 GMT')).toContain('200');
      for (const time of ['Mon, 31 Feb 2020 00:00:00 GMT', '+010000-01-01T00:00:00Z', '253402300800', 'now'])
        expect(await change(time), time).toContain('409');
      expect(await listed()).toEqual(['2020-05-01T12:30:15.000+00:00']);
    });

    test('keep date and ETag when they are moved; new content changes the ETag, even with the same date', async () => {
      await using app = await openTestApp({ dialect });
      const { dav } = await drivenByAnn(app);
      const etag = (await dav.put('/a', '1', { 'x-oc-mtime': '1588336215' })).headers['etag'];
      await dav.send('MKCOL', '/d');
      await dav.move('/a', '/d/b');
      const found = await dav.find('/d/b', '0');
      expect(lastTime(found)).toBe(1_588_336_215_000);
      expect(found.all('getetag')[0]!.replaceAll('&quot;', '"')).toBe(etag);
      const other = (await dav.put('/d/b', '2', { 'x-oc-mtime': '1588336215' })).headers['etag'];
      expect(other).not.toBe(etag);
      expect(lastTime(await dav.find('/d/b', '0'))).toBe(1_588_336_215_000);
    });

    test('can be written under conditions that protect other clients’ changes', async () => {
      await using app = await openTestApp({ dialect });
      const { dav } = await drivenByAnn(app);
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

    test('are overwritten if they are unmodified since a date, compared to the second', async () => {
      await using app = await openTestApp({ dialect });
      const { dav } = await drivenByAnn(app);
      const since = (time: string) => ({ 'if-unmodified-since': time });
      await dav.put('/a', '1', { 'x-oc-mtime': '1588336215.5' });
      const told = (await dav.find('/a', '0')).all('getlastmodified')[0]!;
      expect(told).toBe('Fri, 01 May 2020 12:30:15 GMT');
      expect((await dav.put('/a', '2', since('Fri, 01 May 2020 12:30:14 GMT'))).status).toBe(412);
      expect((await dav.get('/a')).text).toBe('1');
      expect((await dav.put('/a', '3', since(told))).status).toBe(204);
    });

    test('are not copied when their bytes were taken down, neither to a new name nor over another file', async () => {
      await using app = await openTestApp({ dialect });
      const { dav } = await drivenByAnn(app);
      await dav.put('/bad', 'taken down');
      await dav.put('/good', 'fine');
      await dav.send('MKCOL', '/d');
      await dav.put('/d/bad', 'taken down');
      await app.database.transaction((tx) =>
        sql`update blob set quarantined_at = 1 where size = 10`.execute(tx.on()),
      );
      for (const to of ['/new', '/good'])
        expect((await dav.copy('/bad', to)).status, to).not.toBeLessThan(400);
      expect((await dav.get('/good')).text).toBe('fine');
      expect((await dav.get('/new')).status).toBe(404);
      await dav.copy('/d', '/e');
      expect((await dav.get('/e/bad')).status).toBe(404);
    });

    test('uploaded twice at once have one complete body, which is charged once, with the first as a version', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, id } = await drivenByAnn(app);
      const bodies = Array.from({ length: 6 }, (_, at) => randomBytes(200_000 + at));
      const replies = await Promise.all(bodies.map((body) => dav.put('/one.bin', body)));
      expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
        201, 204, 204, 204, 204, 204,
      ]);
      const { bytes } = await dav.get('/one.bin');
      expect(bodies.some((body) => body.equals(bytes))).toBe(true);
      expect((await dav.find('/', '1')).all('displayname')).toEqual(['one.bin']);
      // The body that arrived first is a version; those between it and the last aren't kept.
      const { used, reserved } = await app.quota.of(app.database, id);
      expect(bodies.map(({ length }) => bytes.length + length)).toContain(used);
      expect(reserved).toBe(0);
      await expectWhole(app);
    });

    test('are not changed by an interrupted upload, which leaves nothing behind', async () => {
      await using app = await openTestApp({ dialect });
      const { dav } = await drivenByAnn(app);
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

  describe('the length of an upload', () => {
    const chunked = { 'transfer-encoding': 'chunked' };

    test.each([
      ['announced by Finder, nothing sent', { ...chunked, 'x-expected-entity-length': '300000' }, ''],
      ['announced by Finder, less sent', { ...chunked, 'x-expected-entity-length': '6' }, 'short'],
      ['announced by Finder, more sent', { ...chunked, 'x-expected-entity-length': '4' }, 'longer'],
      ['announced by two headers that differ', { 'x-expected-entity-length': '6' }, 'five!'],
      ['announced by ownCloud, less sent', { ...chunked, 'oc-total-length': '6' }, 'short'],
      ['announced by ownCloud, unlike Content-Length', { 'oc-total-length': '6' }, 'five!'],
      ['announced as text that is not a number', { ...chunked, 'x-expected-entity-length': 'many' }, 'short'],
      ['announced as a negative number', { ...chunked, 'x-expected-entity-length': '-1' }, 'short'],
    ])('%s: the body is rejected, and the old file stays', async (_what, headers, body) => {
      await using app = await openTestApp({ dialect });
      const { dav } = await drivenByAnn(app);
      await dav.put('/kept.txt', 'as it was');
      expect((await dav.put('/kept.txt', body, headers)).status).toBe(400);
      expect((await dav.put('/new.txt', body, headers)).status).toBe(400);
      expect((await dav.get('/kept.txt')).text).toBe('as it was');
      expect((await dav.get('/new.txt')).status).toBe(404);
      await expect.poll(() => Array.fromAsync(app.storage.staged())).toEqual([]);
      await expectWhole(app);
    });

    test('an upload whose length is announced correctly is accepted', async () => {
      await using app = await openTestApp({ dialect });
      const { dav } = await drivenByAnn(app);
      for (const name of ['x-expected-entity-length', 'oc-total-length']) {
        expect((await dav.put(`/${name}`, 'five!', { ...chunked, [name]: '5' })).status).toBe(201);
        expect((await dav.put(`/${name}`, 'five.', { [name]: ' 5 ' })).status).toBe(204);
        expect((await dav.put(`/${name}`, '', { ...chunked, [name]: '0' })).status).toBe(204);
      }
    });

    test.each(['gzip, chunked', 'gzip', 'identity', 'chunked, chunked', 'deflate,chunked'])(
      'an upload with the transfer encoding “%s” is rejected and not stored',
      async (coding) => {
        await using app = await openTestApp({ dialect });
        const { dav } = await drivenByAnn(app);
        await dav.put('/kept.txt', 'as it was');
        await app.http.listen({ port: 0, host: '127.0.0.1' });
        const { port } = app.http.server.address() as AddressInfo;
        for (const path of ['/dav/kept.txt', '/bowerbird-upload/x', '/drive/v1/files']) {
          const socket = connect(port, '127.0.0.1');
          socket.write(
            `PUT ${path} HTTP/1.1\r\nHost: h\r\nAuthorization: ${dav.headers['authorization']}\r\nTransfer-Encoding: ${coding}\r\n\r\n5\r\nhello\r\n0\r\n\r\n`,
          );
          const answer = await text(socket);
          // A body without a final chunked coding is not valid HTTP.
          expect(answer).toMatch(/^HTTP\/1\.1 (501|400) /);
          if (/[^d]\s*,\s*chunked$/.test(coding)) expect(answer).toMatch(/^HTTP\/1\.1 501 /);
        }
        expect((await dav.get('/kept.txt')).text).toBe('as it was');
        await expectWhole(app);
      },
    );
  });

  describe('WebDAV limits', () => {
    test('uploads to a full drive return 507 beforehand or as soon as they are too large, and the old file is kept', async () => {
      await using app = await openTestApp({ dialect, environment: { MEMBER_STORAGE: '1000 B' } });
      const { dav, id } = await drivenByAnn(app);
      expect((await dav.put('/a', Buffer.alloc(600))).status).toBe(201);
      const refused = await dav.put('/b', Buffer.alloc(401));
      expect(refused.status).toBe(507);
      expect(refused.text).toContain('quota-not-exceeded');
      expect((await dav.put('/b', Buffer.alloc(401), { 'transfer-encoding': 'chunked' })).status).toBe(507);
      expect((await dav.copy('/a', '/c')).status).toBe(507);
      // The replaced content frees space for the new one.
      expect((await dav.put('/a', Buffer.alloc(1000))).status).toBe(204);
      expect((await dav.put('/a', Buffer.alloc(10))).status).toBe(204);
      const asked =
        '<propfind xmlns="DAV:"><prop><quota-available-bytes/><quota-used-bytes/></prop></propfind>';
      const found = await dav.find('/', '0', asked);
      expect([found.all('quota-available-bytes'), found.all('quota-used-bytes')]).toEqual([['990'], ['10']]);
      expect(await app.quota.of(app.database, id)).toMatchObject({ used: 10, reserved: 0 });
      await expectWhole(app);
    });

    test('a full storage and a failing one return different errors, and no file is lost', async () => {
      const { storage, faults } = faultyStorage(await openBlobStore('memory:'));
      await using app = await openTestApp({ dialect, storage });
      const { dav } = await drivenByAnn(app);
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
});
