import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { openTestApp } from '../../../testing/index.ts';

const UNADDRESSED = { environment: { SITE_URL: '' } };

/** Sends a raw request, line by line. */
async function ask(port: number, ...lines: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end([...lines, 'Connection: close', '', ''].join('\r\n'));
  return text(socket);
}

describe('without a configured site address', () => {
  test.each(['a<b', 'a b', '"x', 'localhost:99999', '[::1', 'evil.example/..', 'a@b', 'a,b'])(
    'a request to the host %j is rejected as the client’s error',
    async (host) => {
      await using app = await openTestApp(UNADDRESSED);
      await app.http.listen({ port: 0, host: '127.0.0.1' });
      const { port } = app.http.server.address() as AddressInfo;
      const reply = await ask(port, 'GET /v1/auth/rules HTTP/1.1', `Host: ${host}`);
      expect(reply).toMatch(/^HTTP\/1\.1 400 /);
      expect(reply).toContain('"invalid_argument"');
    },
  );

  test.each([
    'localhost',
    'drive.example:8080',
    '192.0.2.7',
    '[::1]:3000',
    'my_box.local',
    'xn--e1afmkfd.example',
  ])('a request to the host %j is answered', async (host) => {
    await using app = await openTestApp(UNADDRESSED);
    expect((await app.http.inject({ url: '/v1/auth/rules', headers: { host } })).statusCode).toBe(200);
  });

  test('an HTTP/1.0 request without a host is answered', async () => {
    await using app = await openTestApp(UNADDRESSED);
    await app.http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = app.http.server.address() as AddressInfo;
    expect(await ask(port, 'GET /healthz HTTP/1.0')).toMatch(/^HTTP\/1\.1 200 /);
  });
});

test('with a configured site address, the request’s host appears in no response', async () => {
  await using app = await openTestApp({ environment: { SITE_URL: 'https://drive.test' } });
  const { body } = await app.http.inject({ url: '/openapi.json', headers: { host: 'a<b' } });
  expect(body).toContain('https://drive.test');
  expect(body).not.toContain('a<b');
});
