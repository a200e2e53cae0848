import { crc32 } from 'node:zlib';
import { accountApi, driveApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp, turnableClock, visitorAt } from '../../../testing/index.ts';
import { png } from '../../seed/png.ts';

/** Returns a wide PNG whose text metadata names its author. */
function photo(): Buffer {
  const plain = png({ width: 64, height: 32, at: (x) => [x, 0.4, 0.8] });
  const secret = Buffer.from('Comment\0taken at home');
  const chunk = Buffer.alloc(12 + secret.length);
  chunk.writeUInt32BE(secret.length, 0);
  chunk.write('tEXt', 4, 'latin1');
  secret.copy(chunk, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + secret.length)), 8 + secret.length);
  return Buffer.concat([plain.subarray(0, 33), chunk, plain.subarray(33)]);
}

eachDatabase((dialect) => {
  test('a profile picture is re-encoded as a square, served from an unguessable address, replaced and removed', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const set = (bytes: Buffer) =>
      ann.call(accountApi.setPicture, { body: { picture: bytes.toString('base64') } });
    const sent = photo();
    expect(sent.toString('latin1')).toContain('taken at home');
    const { picture } = await set(sent);
    expect(picture).toMatch(/^http:\/\/drive\.test\/avatar\/[0-9a-z]{27}$/);
    expect((await ann.call(accountApi.me, {})).picture).toBe(picture);
    const path = new URL(picture).pathname;
    const shown = await app.http.inject({ url: path });
    expect(shown.statusCode).toBe(200);
    expect(shown.headers).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "sandbox; default-src 'none'",
    });
    const bytes = shown.rawPayload;
    expect(bytes.toString('latin1', 8, 12)).toBe('WEBP');
    expect(bytes.toString('latin1')).not.toContain('taken at home');
    const { etag } = shown.headers;
    const again = await app.http.inject({ url: path, headers: { 'if-none-match': String(etag) } });
    expect(again.statusCode).toBe(304);

    const next = await set(sent);
    expect(next.picture).not.toBe(picture);
    expect((await app.http.inject({ url: path })).statusCode).toBe(404);
    expect(await ann.call(accountApi.removePicture, {})).toMatchObject({ picture: '' });
    expect((await app.http.inject({ url: new URL(next.picture).pathname })).statusCode).toBe(404);
    for await (const { key } of app.storage.list('avatar')) throw new Error(`${key} was left over`);
  });

  test('a file that is not a picture is neither shown nor stored, and strangers can’t set a picture', async () => {
    await using app = await openTestApp({ dialect, clock: turnableClock() });
    const ann = await app.signUp('ann');
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    for (const text of [svg, '<script>alert(1)</script>', '%PDF-1.7', ''])
      await expect(
        ann.call(accountApi.setPicture, { body: { picture: Buffer.from(text).toString('base64') } }),
      ).rejects.toMatchObject({ id: 'invalid_argument', facts: { field: 'picture' } });
    expect(await ann.call(accountApi.me, {})).toMatchObject({ picture: '' });
    for await (const { key } of app.storage.list('avatar')) throw new Error(`${key} was left over`);
    for (const spec of [accountApi.setPicture, accountApi.removePicture])
      await expect(
        visitorAt(app, '192.0.2.1').call(spec, { body: { picture: 'AAAA' } } as never),
      ).rejects.toMatchObject({ id: 'unauthenticated' });
    for (const path of ['/avatar/x', `/avatar/${'0'.repeat(27)}`, '/avatar/..%2f..%2fsecret'])
      expect((await app.http.inject({ url: path })).statusCode).toBe(404);
    for (let n = 4; n < 21; n++)
      await ann.call(accountApi.setPicture, { body: { picture: 'AAAA' } }).catch(() => undefined);
    await expect(ann.call(accountApi.setPicture, { body: { picture: 'AAAA' } })).rejects.toMatchObject({
      id: 'too_frequent',
    });
    await ann.call(driveApi.list, { query: {} });
  });

  test('picture files left by a crash are deleted, those in use are kept', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    const { picture } = await ann.call(accountApi.setPicture, {
      body: { picture: photo().toString('base64') },
    });
    await app.storage.put(`avatar/${'a'.repeat(27)}`, Buffer.from('x'));
    await app.storage.put(`avatar-source/${'b'.repeat(27)}`, Buffer.from('x'));
    clock.advance(Date.now() - clock.now() + 25 * 3600_000);
    await app.database.transaction((tx) => app.jobs.enqueue(tx, 'sweep-pictures', null));
    await app.jobs.drain();
    const left: string[] = [];
    for await (const { key } of app.storage.list('avatar')) left.push(key);
    expect(left).toEqual([new URL(picture).pathname.slice(1)]);
  });
});
