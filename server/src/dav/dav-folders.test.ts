import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { driveApi, taskApi } from '@bowerbird/contract';
import { describe, expect, test } from 'vitest';
import { drivenByAnn, eachDatabase, expectWhole, openTestApp, plant } from '../../testing/index.ts';

eachDatabase((dialect) => {
  describe('WebDAV folders', () => {
    test('list thousands of entries in pages without blocking the event loop', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, id } = await drivenByAnn(app);
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
      const silent = await dav.send('PROPFIND', '/many');
      expect([silent.status, new Set(silent.all('href')).size]).toEqual([207, 601]);
      const endless = await dav.send('PROPFIND', '/many', { headers: { depth: 'infinity' } });
      expect(endless.status).toBe(403);
      const file = silent.all('href').find((href) => !href.endsWith('/'));
      for (const headers of [{}, { depth: 'infinity' }, { depth: '1' }, { depth: '0' }]) {
        const found = await dav.send('PROPFIND', file!.slice('/dav'.length), { headers });
        expect([found.status, found.all('href')], JSON.stringify(headers)).toEqual([207, [file]]);
      }
      expect(endless.text).toContain('propfind-finite-depth');
    });

    test('move deleted and replaced items to the trash', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, member, id } = await drivenByAnn(app);
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

    test('reject invalid operations without changing the tree', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, id } = await drivenByAnn(app);
      await plant(app, id, { a: { b: { c: 'text', d: { e: {} } } }, f: 'file' });
      const tree = async () => [
        (await dav.find('/a/b', '1')).all('href'),
        (await dav.find('/', '1')).all('href'),
      ];
      const before = await tree();
      const refusals: [string, string, string | undefined, Record<string, string>, number][] = [
        ['MOVE', '/a', '/a/b/new', {}, 403],
        ['MOVE', '/a', '/a/b/d/e/new', {}, 403],
        ['COPY', '/a', '/a/b/new', {}, 403],
        ['COPY', '/a', '/a/b/d/e/new', {}, 403],
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

    test('copy more than a thousand files in one request under another name, with their dead properties', async () => {
      await using app = await openTestApp({ dialect });
      const { dav, id } = await drivenByAnn(app);
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

  test('a destination in unescaped UTF-8 bytes is read as UTF-8, and in other bytes it is rejected', async () => {
    await using app = await openTestApp({ dialect });
    const { dav, id } = await drivenByAnn(app);
    await dav.send('MKCOL', '/Ü');
    await dav.put('/one.txt', 'one');
    await dav.put('/two.txt', 'two');
    await app.http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.http.server.address() as AddressInfo;
    /** Bytes as they are, which HTTP libraries would escape or refuse. */
    const send = (method: string, from: string, destination: Buffer): Promise<string> => {
      const socket = connect(port, '127.0.0.1');
      socket.write(
        `${method} /dav/${from} HTTP/1.1\r\nHost: h\r\nConnection: close\r\nAuthorization: ${dav.headers['authorization']}\r\nDestination: `,
      );
      socket.write(Buffer.concat([destination, Buffer.from('\r\n\r\n')]));
      return text(socket);
    };
    const names = async (): Promise<string[]> => (await dav.find('/', '1')).all('displayname').sort();
    expect(await send('MOVE', 'one.txt', Buffer.from('/dav/日本 🐦.txt'))).toMatch(/^HTTP\/1\.1 201 /);
    expect(await send('COPY', 'two.txt', Buffer.from('http://h/dav/Ü/é%20ü.txt'))).toMatch(
      /^HTTP\/1\.1 201 /,
    );
    expect((await dav.get(`/${encodeURIComponent('日本 🐦.txt')}`)).text).toBe('one');
    expect((await dav.get(encodeURI('/Ü/é ü.txt'))).text).toBe('two');
    const before = await names();
    expect(await send('MOVE', 'two.txt', Buffer.from('/dav/ä.txt', 'latin1'))).toMatch(/^HTTP\/1\.1 400 /);
    expect(await names()).toEqual(before);
    expect(await app.nodes.taken(app.database, id, ['日本 🐦.txt', 'two.txt', 'Ü'])).toHaveLength(3);
    await expectWhole(app);
  });

  test('a server that stops does not wait for clients whose copy is still running; the copy is complete after the next start', async () => {
    await using app = await openTestApp({ dialect });
    const { dav, id, member } = await drivenByAnn(app);
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
});
