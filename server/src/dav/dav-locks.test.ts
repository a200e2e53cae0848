import { driveApi } from '@bowerbird/contract';
import { describe, expect, test } from 'vitest';
import {
  drivenByAnn,
  eachDatabase,
  expectWhole,
  LOCK_INFO,
  openTestApp,
  plant,
  turnableClock,
} from '../../testing/index.ts';

const lastTime = (reply: { all(name: string): string[] }): number =>
  Date.parse(reply.all('getlastmodified')[0]!);

eachDatabase((dialect) => {
  describe('properties', () => {
    test('set by a client are stored until it removes them; a request sets all of its properties or none', async () => {
      await using app = await openTestApp({ dialect });
      const { dav } = await drivenByAnn(app);
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

    test('setting the time properties, as Windows and others do, changes the times of the file', async () => {
      await using app = await openTestApp({ dialect });
      const { dav } = await drivenByAnn(app);
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

    test('move with their file and are deleted with it', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, member } = await drivenByAnn(app);
      const body =
        '<propertyupdate xmlns="DAV:"><set><prop><p xmlns="urn:z">1</p></prop></set></propertyupdate>';
      await dav.put('/a', 'x');
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
        .on<{ dav_property: { node: string } }>()
        .selectFrom('dav_property')
        .selectAll()
        .execute();
      expect(left).toEqual([]);
    });
  });

  describe('locks', () => {
    test('protect a file, and everything in a folder, from clients without the token', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, id } = await drivenByAnn(app);
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
      const unlocked = await dav.send('UNLOCK', '/d/e', { headers: { 'lock-token': held.d } });
      expect(unlocked.status).toBe(204);
      expect((await dav.put('/d/f', 'moved, so it is free')).status).toBe(204);
    });

    test('exclude each other if one is exclusive; a folder with a locked file can’t be locked with its contents', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, id } = await drivenByAnn(app);
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

    test('the tokens of all locks in a folder are needed to delete or move it', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, id } = await drivenByAnn(app);
      await plant(app, id, { d: { one: '1', e: { two: '2' } } });
      const one = `</dav/d/one> (<${await dav.lock('/d/one')}>)`;
      const two = `</dav/d/e/two> (<${await dav.lock('/d/e/two')}>)`;
      for (const [tokens, locked] of [
        [one, '/dav/d/e/two'],
        [two, '/dav/d/one'],
      ] as const)
        for (const attempt of [
          () => dav.send('DELETE', '/d', { headers: { if: tokens } }),
          () => dav.move('/d', '/x', { if: tokens }),
        ]) {
          const reply = await attempt();
          expect(reply.status).toBe(423);
          expect(reply.text).toContain(`${locked}<`);
        }
      expect((await dav.get('/d/e/two')).text).toBe('2');
      expect((await dav.move('/d', '/x', { if: `${one} ${two}` })).status).toBe(201);
    });

    test('a lock of depth 0 on a folder protects its list of entries, not the entries themselves', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, id } = await drivenByAnn(app);
      await plant(app, id, { d: { f: 'x', g: 'y', e: { h: 'z' } } });
      const token = await dav.lock('/d', { depth: '0' });
      expect((await dav.put('/d/f', 'written')).status).toBe(204);
      expect((await dav.put('/d/e/new', 'added')).status).toBe(201);
      expect((await dav.send('LOCK', '/d/g', { body: LOCK_INFO('exclusive') })).status).toBe(200);
      expect((await dav.put('/d/new', 'no')).status).toBe(423);
      expect((await dav.send('DELETE', '/d/f')).status).toBe(423);
      expect((await dav.put('/d/new', 'yes', { if: `</dav/d> (<${token}>)` })).status).toBe(201);
    });

    test('a lock on an unused name creates an empty file, which can be written with the token', async () => {
      await using app = await openTestApp({ dialect });
      const { dav } = await drivenByAnn(app);
      const token = await dav.lock('/new.docx');
      expect((await dav.get('/new.docx')).text).toBe('');
      expect((await dav.put('/new.docx', 'no')).status).toBe(423);
      expect((await dav.put('/new.docx', 'yes', { if: `(<${token}>)` })).status).toBe(204);
      expect((await dav.send('LOCK', '/none/x', { body: LOCK_INFO('exclusive') })).status).toBe(409);
      expect((await dav.find('/new.docx', '0')).all('locktoken')).toEqual([`<D:href>${token}</D:href>`]);
      await expectWhole(app);
    });

    test('expire unless they are refreshed', async () => {
      const clock = turnableClock();
      await using app = await openTestApp({ dialect, clock });
      const { dav } = await drivenByAnn(app);
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

  test('XML from clients is limited in size and depth', async () => {
    await using app = await openTestApp({ dialect });
    const { dav } = await drivenByAnn(app);
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
