import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { BlobStore, Staging } from '@bowerbird/storage';
import { installGuard, trustedStorage } from '../index.ts';

// Writes to a storage at a private address from a body that tries to connect there too. A separate process, because the
// guard is irreversible.

const guard = installGuard([]);
const server = createServer((socket) => socket.end('x')).listen(0, '127.0.0.1');
await new Promise((resolve) => server.once('listening', resolve));
const { port } = server.address() as AddressInfo;

const tried: Record<string, string> = {};

/** Records whether a connection to the private address succeeds now. */
async function tryAs(who: string): Promise<void> {
  const outcome = await new Promise<string>((resolve) => {
    const socket: Socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve('connected'));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''));
    socket.on('close', () => {});
  });
  tried[who] = outcome;
}

const staging: Staging = {
  uploadId: 'one',
  async writePart(_number, source) {
    await tryAs('storage, before the body');
    const chunks = source[Symbol.asyncIterator]();
    for (let item = await chunks.next(); !item.done; item = await chunks.next())
      await tryAs('storage, between two chunks');
    await tryAs('storage, after the body');
    return { size: 2, version: 'v' };
  },
  parts: async () => (await tryAs('storage, parts'), []),
  keep: () => tryAs('storage, keep'),
};
const lazy = (): Readable =>
  Readable.from(
    (async function* () {
      await tryAs('storage, when read');
      yield Buffer.from('a');
    })(),
    { objectMode: false },
  );
const storage = {
  capabilities: { reach: 'network', durable: true },
  stage: async () => (await tryAs('storage, stage'), staging),
  open: async () => (
    await tryAs('storage, open'),
    { size: 1, length: 1, stream: lazy(), pipeTo: async () => {} }
  ),
  async *list() {
    await tryAs('storage, list');
    yield { key: 'k', size: 1, modifiedAt: new Date() };
  },
} as unknown as BlobStore;

const trusted = trustedStorage(storage, guard);

async function* body(): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    await tryAs('stranger, first chunk');
    yield Buffer.from('a');
    await tryAs('stranger, second chunk');
    yield Buffer.from('b');
  } finally {
    await tryAs('stranger, at the end');
  }
}

const area = await trusted.stage('one');
await area.writePart(1, body());
await area.parts();
await area.keep('k', []);
const { stream } = await trusted.open('k');
for await (const _ of stream) await tryAs('stranger, while reading');
for await (const _ of trusted.list('')) await tryAs('stranger, while listing');
await tryAs('stranger, afterwards');

process.send!(tried, () => process.exit());
