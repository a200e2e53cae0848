import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { createLog } from '../log.ts';
import { watchConnections } from './connections.ts';
import { createHttp } from './server.ts';

const LIMITS = { silentMs: 300, windowMs: 600, windowBytes: 100, checkMs: 50 };

let server: Server;
let close = (): void => {};
afterEach(() => {
  close();
  server.closeAllConnections();
  server.close();
});

/** Server that either reads a body to its end or leaves it unread, and then responds with its length. */
async function open({ takes = true } = {}): Promise<() => Promise<Socket>> {
  server = createServer({ requestTimeout: 0 }, (request, response) => {
    if (!takes) return;
    let size = 0;
    request.on('data', (chunk: Buffer) => (size += chunk.length));
    request.on('end', () => response.end(String(size)));
  }).listen(0, '127.0.0.1');
  ({ close } = watchConnections(server, LIMITS));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return async () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    await once(socket, 'connect');
    return socket;
  };
}

const HEAD = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n\r\n';
/** Waits until a connection is closed, by whatever means: a reset is reported as an error before. */
const isOver = (socket: Socket): Promise<void> =>
  new Promise((resolve) => socket.resume().once('close', () => resolve()));

test('a silent connection is closed', async () => {
  const socket = await (await open())();
  await isOver(socket);
});

test('a body that trickles in is closed, however regularly', async () => {
  const socket = await (await open())();
  socket.write(HEAD);
  const drops = setInterval(() => socket.write('x'), 50);
  await isOver(socket);
  clearInterval(drops);
});

test('a slow but steady body is accepted to its end', async () => {
  const socket = await (await open())();
  socket.write(HEAD);
  for (let sent = 0; sent < 1000; sent += 50) {
    socket.write('x'.repeat(50));
    await sleep(100);
  }
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 OK[^]*1000/);
});

test('a connection is not closed for a body that the server does not read', async () => {
  const socket = await (await open({ takes: false }))();
  socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10000000\r\n\r\n');
  socket.write(Buffer.alloc(5_000_000));
  let isClosed = false;
  socket.on('close', () => (isClosed = true));
  await sleep(1500);
  expect(isClosed).toBe(false);
});

test('a slow response and a kept-alive connection are not cut', async () => {
  server = createServer((_request, response) => {
    setTimeout(() => response.end('late'), 1500);
  }).listen(0, '127.0.0.1');
  ({ close } = watchConnections(server, LIMITS));
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  const [answer] = (await once(socket, 'data')) as [Buffer];
  expect(answer.toString()).toContain('200 OK');
  await sleep(1000);
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(socket, 'data');
  socket.destroy();
});

/** Server of the API, without routes. */
async function openApi() {
  const http = await createHttp({
    log: createLog('silent'),
    siteOrigin: undefined,
    trustedProxies: false,
    countryHeader: undefined,
    identify: async () => null,
    refusal: async () => undefined,
    connections: { ...LIMITS, silentMs: 1000 },
  });
  ({ server } = http);
  close = () => http.connections.close();
  return http;
}

// Without these limits such connections stay open for a minute at least.
test(
  'the server of the API closes silent and trickling connections, and no others',
  { timeout: 30_000 },
  async () => {
    const http = await openApi();
    http.post('/', async ({ body }) => String((body as Buffer).length));
    await http.listen({ port: 0, host: '127.0.0.1' });
    const { port } = server.address() as AddressInfo;
    const dial = (): Socket => connect(port, '127.0.0.1').on('error', () => {});
    const post = 'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 4\r\n\r\n';
    // Its request is on its way as soon as it is open: otherwise a busy machine might consider it silent.
    const used = dial();
    used.write(`${post}done`);
    await once(used, 'data');
    const [silent, trickling] = [dial(), dial()];
    trickling.write(HEAD);
    const drops = setInterval(() => trickling.write('x'), 50);
    await Promise.all([isOver(silent), isOver(trickling)]);
    clearInterval(drops);
    used.write(`${post}done`);
    const [answer] = (await once(used, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 200 OK/);
    await http.close();
  },
);

test('Fastify never loads its compilers of schemas: a route that would need them is refused', async () => {
  const http = await openApi();
  http.get('/', { schema: { querystring: { type: 'object' } } }, async () => '');
  await expect(http.ready()).rejects.toThrow('routes have no schemas');
});
