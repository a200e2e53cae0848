import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createLiveStream } from './live-stream.ts';

test('a client that doesn’t read costs no memory, learns everything once it reads, and is cut if it never does', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  client.pause();
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  response.writeHead(200);
  const stream = createLiveStream(response, {
    viewer: { account: 'a', session: 's' },
    address: '',
    endsAt: Infinity,
  });
  // Fills what the two systems keep for a connection.
  while (!response.writableNeedDrain) {
    response.write('x'.repeat(64 * 1024));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  while (!response.writableNeedDrain) response.write('x'.repeat(64 * 1024));
  const kept = response.writableLength;
  for (let at = 0; at < 10_000; at++) stream.tell([at % 2 ? 'files' : 'tasks'], `p-${at}`);
  stream.beat();
  expect(response.writableLength).toBe(kept);

  let tail = '';
  client.on('data', (data) => (tail = (tail + data.toString()).slice(-2000)));
  client.resume();
  await expect.poll(() => tail).toContain('id: p-9999\nevent: change\ndata: {"topics":["tasks","files"]}');

  client.pause();
  while (!response.writableNeedDrain) {
    response.write('x'.repeat(64 * 1024));
    await new Promise((resolve) => setImmediate(resolve));
  }
  await new Promise((resolve) => setTimeout(resolve, 100));
  while (!response.writableNeedDrain) response.write('x'.repeat(64 * 1024));
  stream.resync('p-10000', 0);
  stream.beat();
  expect(response.destroyed).toBe(false);
  stream.beat();
  await once(response, 'close');
  client.destroy();
  server.close();
});
