import { securityApi } from '@bowerbird/contract';
import { describe, expect, test } from 'vitest';
import {
  basic,
  davClient,
  drivenByAnn,
  eachDatabase,
  LOCK_INFO,
  openTestApp,
  PASSWORD,
} from '../../testing/index.ts';

eachDatabase((dialect) => {
  describe('WebDAV access', () => {
    test('is granted with an app password for WebDAV or a token for the drive, and with nothing else', async () => {
      await using app = await openTestApp({ dialect });
      const { member } = await drivenByAnn(app);
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
      await member.call(securityApi.revokePass, { body: { id: pass.id, password: PASSWORD } });
      expect(await status(basic(member.email, secret))).toBe(401);
      const asked = await davClient(app.http, {}).get('/');
      expect(asked.headers['www-authenticate']).toBe('Basic realm="Bowerbird", charset="UTF-8"');
    });

    test('is not granted by a cookie, and a page of another site gets nothing, whatever credentials its browser has stored', async () => {
      await using app = await openTestApp({ dialect });
      const { member, dav } = await drivenByAnn(app);
      const signedIn = await app.send({
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

    test('is not needed for OPTIONS, as Windows asks for it', async () => {
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

    test('the drive is at the root on WebDAV’s own host, also in the addresses of responses', async () => {
      await using app = await openTestApp({ dialect });
      const { member } = await drivenByAnn(app);
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

  describe('request sequences', () => {
    test('Windows Explorer can create a file: empty file, lock, times, content, lock again', async () => {
      await using app = await openTestApp({ dialect });
      const { member } = await drivenByAnn(app);
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

    test('Finder can save a file: its metadata files, a lock, a body of unknown length, a safe save', async () => {
      await using app = await openTestApp({ dialect });
      const { member } = await drivenByAnn(app);
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
});
