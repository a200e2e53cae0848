import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { openTestApp } from '../../../testing/index.ts';
import { safeHeaders } from './safe-headers.ts';

const ASKED = [
  '/v1/auth/rules',
  '/v1/user/me',
  '/healthz',
  '/openapi.json',
  '/nothing/here',
  '/drive/v1/files/%zz',
];

test('API responses can’t be executed, sniffed, cached or framed by browsers', async () => {
  await using app = await openTestApp();
  for (const url of ASKED) {
    const { headers } = await app.http.inject({ url });
    expect(headers, url).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    });
    expect(headers['cache-control'], url).toMatch(url === '/openapi.json' ? /^public/ : /no-store/);
    expect(headers['content-type'], url).toMatch(/^application\/json; charset=utf-8$/);
  }
});

test('browsers are told to use HTTPS only, if the site has a host of its own there', async () => {
  await using app = await openTestApp({ environment: { SITE_URL: 'https://drive.test' } });
  const { headers } = await app.http.inject({ url: '/v1/auth/rules' });
  expect(headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  const { email, password } = await app.signUp('ann');
  const signedIn = await app.send({
    method: 'POST',
    url: '/v1/auth/signin',
    headers: { 'sec-fetch-site': 'same-origin' },
    payload: { username: email, password, session: 'cookie' },
  });
  expect(signedIn.cookies.map(({ name, secure }) => [name, secure])).toEqual([
    ['__Host-pp_session', true],
    ['pp_user_id', true],
    ['__Host-pp_known_browser', true],
  ]);
  for (const site of [undefined, 'http://drive.test', 'https://drive.test:8443'])
    expect(safeHeaders(site)).not.toHaveProperty('strict-transport-security');
});

test('the reason of a rejected request is logged; its body and the sender’s address are not', async () => {
  await using app = await openTestApp();
  const ann = await app.signUp('ann');
  await app.send({
    method: 'POST',
    url: '/v1/auth/signin',
    remoteAddress: '192.0.2.7',
    payload: { username: ann.email, password: 'not her password' },
  });
  const line = app.logged.map((text) => JSON.parse(text) as Record<string, unknown>).at(-1);
  expect(line).toMatchObject({
    path: '/v1/auth/signin',
    refused: 'invalid_account_or_password',
    time: expect.any(Number) as number,
    id: expect.any(String) as string,
  });
  for (const secret of ['not her password', ann.email, '192.0.2.7'])
    expect(app.logged.join('\n')).not.toContain(secret);
});

test('TRACE does not echo requests', async () => {
  await using app = await openTestApp();
  const address = await app.http.listen({ port: 0, host: '127.0.0.1' });
  const { port } = new URL(address);
  const reply = await new Promise<string>((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1');
    let text = '';
    socket.setEncoding('utf8').on('data', (more: string) => (text += more));
    socket.on('end', () => resolve(text)).on('error', reject);
    socket.write(
      'TRACE /healthz HTTP/1.1\r\nHost: drive.test\r\nX-Mine: a secret\r\nConnection: close\r\n\r\n',
    );
  });
  expect(reply).toMatch(/^HTTP\/1\.1 40[045] /);
  expect(reply).not.toContain('a secret');
});
