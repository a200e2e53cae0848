import { fork } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Attempts } from './testing/attempts.ts';

const PROGRAM = join(import.meta.dirname, 'testing', 'attempts.ts');
const MESSAGE_MS = 50;

let heard: string[] = [];
const close: (() => unknown)[] = [];
let port = 0;
let path = '';

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-guard-'));
  path = join(folder, 'socket');
  const hear = (what: string) => (socket: { destroy(): unknown }) => {
    heard.push(what);
    socket.destroy();
  };
  const everywhere = createServer(hear('a connection')).listen(0, '::');
  await once(everywhere, 'listening');
  port = (everywhere.address() as AddressInfo).port;
  const local = createServer(hear('a unix connection')).listen(path);
  await once(local, 'listening');
  const datagrams = createSocket('udp4', () => heard.push('a datagram')).bind(port, '127.0.0.1');
  await once(datagrams, 'listening');
  close.push(
    () => everywhere.close(),
    () => local.close(),
    () => datagrams.close(),
    () => rm(folder, { recursive: true }),
  );
});

afterAll(async () => {
  for (const end of close) await end();
});

async function attempt(allow: readonly string[]): Promise<{
  strangers: Record<string, string>;
  heardFromStrangers: string[];
  own: Record<string, string>;
}> {
  heard = [];
  const child = fork(PROGRAM, [JSON.stringify({ allow, port, path } satisfies Attempts)]);
  const died = once(child, 'exit').then(([code]) => Promise.reject(new Error(`It ended with ${code}`)));
  const [{ strangers }] = await Promise.race([once(child, 'message'), died]);
  died.catch(() => {});
  await new Promise((resolve) => setTimeout(resolve, MESSAGE_MS));
  const heardFromStrangers = heard;
  heard = [];
  const end = once(child, 'exit');
  const own = once(child, 'message');
  child.send('go on');
  const [message] = await own;
  await end;
  return { strangers, heardFromStrangers, own: message.own };
}

test('no private address is reachable, whatever the notation and the library', async () => {
  const { strangers, heardFromStrangers, own } = await attempt([]);
  const through = Object.entries(strangers).filter(
    ([, result]) => result !== 'EFORBIDDEN' && result !== 'ENOTFOUND',
  );
  expect(through).toEqual([]);
  expect(heardFromStrangers).toEqual([]);
  expect(Object.keys(strangers).length).toBeGreaterThan(70);
  // Trusted work may connect anywhere.
  expect(new Set(Object.values(own))).toEqual(new Set(['connected', 'sent']));
});

test('networks that the administrator allows are reachable in every notation, and no others', async () => {
  const { strangers } = await attempt(['127.0.0.1/32']);
  for (const way of ['net 127.0.0.1', 'net ::ffff:7f00:1', 'net 0x7f.1', 'net 2130706433', 'net, options'])
    expect(strangers[way], way).toBe('connected');
  expect(strangers['datagram']).toBe('sent');
  for (const way of ['net ::1', 'net 0.0.0.0', 'net 127.1.2.3', 'unix socket', 'http ::1'])
    expect(strangers[way], way).not.toBe('connected');
});

test('the storage’s own address is reachable; the source of a body written to it gets no such permission', async () => {
  const child = fork(join(import.meta.dirname, 'testing', 'storage-attempts.ts'));
  const [tried] = (await once(child, 'message')) as [Record<string, string>];
  const through = Object.groupBy(Object.keys(tried), (who) => `${who.split(',')[0]} ${tried[who]}`);
  expect(Object.keys(through).toSorted()).toEqual(['storage connected', 'stranger EFORBIDDEN']);
  expect(through['storage connected']).toHaveLength(9);
  expect(through['stranger EFORBIDDEN']).toHaveLength(6);
});
