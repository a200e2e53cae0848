import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { createHash, randomFillSync } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Server } from 'bittorrent-tracker';
import type { SourceFacts, TorrentSpec } from '@bowerbird/contract';
import { readTorrent } from '../torrent/index.ts';

// A swarm on this machine of independent programs: mktorrent creates torrents, transmission and aria2 seed them.

/** Returns random bytes for a file of the given length. */
export function noise(size: number): Buffer {
  return randomFillSync(Buffer.alloc(size));
}

export const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

export function plantFiles(folder: string, files: Readonly<Record<string, Uint8Array>>): void {
  for (const [path, bytes] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), bytes);
  }
}

/** Creates a torrent of the files at a path, with pieces of 2^`power` bytes. */
export function makeTorrent(
  path: string,
  {
    trackers = [],
    webSeeds = [],
    power = 16,
    isPrivate = false,
  }: { trackers?: string[]; webSeeds?: string[]; power?: number; isPrivate?: boolean } = {},
): { readonly file: string; readonly facts: SourceFacts; readonly spec: Required<TorrentSpec> } {
  const file = `${path}-${power}-${isPrivate}-${webSeeds.length}.torrent`;
  execFileSync('mktorrent', [
    ...trackers.flatMap((tracker) => ['-a', tracker]),
    ...webSeeds.flatMap((seed) => ['-w', seed]),
    ...(isPrivate ? ['-p'] : []),
    '-l',
    String(power),
    '-o',
    file,
    path,
  ]);
  const facts = readTorrent(readFileSync(file));
  const { infoHash, magnet, file: torrent } = facts.torrent!;
  return { file, facts, spec: { kind: 'torrent', infoHash, magnet, torrent } };
}

export interface Program {
  readonly port: number;
  stop(): Promise<void>;
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

function program(child: ChildProcess, port: number): Program {
  return {
    port,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    },
  };
}

/** Starts transmission to seed torrents from a folder; peers find it by port or tracker. */
export async function startTransmission(
  folder: string,
  torrents: readonly string[],
  { rate }: { rate?: number } = {},
): Promise<Program> {
  const [rpc, port] = [await freePort(), await freePort()];
  const home = join(folder, `transmission-${port}`);
  mkdirSync(home, { recursive: true });
  writeFileSync(
    join(home, 'settings.json'),
    JSON.stringify({
      'rpc-bind-address': '127.0.0.1',
      'rpc-port': rpc,
      'rpc-authentication-required': false,
      'rpc-whitelist-enabled': false,
      'peer-port': port,
      'bind-address-ipv4': '127.0.0.1',
      'dht-enabled': false,
      'lpd-enabled': false,
      'utp-enabled': false,
      'pex-enabled': false,
      'port-forwarding-enabled': false,
      'speed-limit-up-enabled': rate !== undefined,
      'speed-limit-up': Math.round((rate ?? 0) / 1000),
      'download-dir': folder,
    }),
  );
  const child = spawn('transmission-daemon', ['-f', '-g', home], { stdio: 'ignore' });
  const ask = rpcOf(rpc);
  for (const torrent of torrents) {
    await ask('torrent-add', { metainfo: readFileSync(torrent).toString('base64'), 'download-dir': folder });
  }
  for (;;) {
    const { torrents: all } = (await ask('torrent-get', { fields: ['percentDone', 'status'] })) as {
      torrents: { percentDone: number; status: number }[];
    };
    const SEEDING = 6;
    if (all.every(({ percentDone, status }) => percentDone === 1 && status === SEEDING)) break;
    await sleep(50);
  }
  return program(child, port);
}

function rpcOf(port: number): (method: string, values: object) => Promise<unknown> {
  let session = '';
  return async function ask(method, values): Promise<unknown> {
    try {
      const response = await fetch(`http://127.0.0.1:${port}/transmission/rpc`, {
        method: 'POST',
        headers: { 'x-transmission-session-id': session },
        body: JSON.stringify({ method, arguments: values }),
      });
      if (response.ok) return ((await response.json()) as { arguments: unknown }).arguments;
      session = response.headers.get('x-transmission-session-id') ?? '';
    } catch {
      await sleep(50); // not ready yet
    }
    return ask(method, values);
  };
}

/** Starts aria2 to seed torrents from a folder. */
export async function startAria2Seed(folder: string, torrents: readonly string[]): Promise<Program> {
  const port = await freePort();
  const child = spawn(
    'aria2c',
    [
      `--dir=${folder}`,
      '--seed-ratio=0.0',
      '--check-integrity=true',
      '--enable-dht=false',
      '--enable-peer-exchange=false',
      `--listen-port=${port}`,
      '--interface=127.0.0.1',
      ...torrents,
    ],
    { stdio: 'ignore' },
  );
  return program(child, port);
}

export interface TestTracker {
  readonly http: string;
  readonly udp: string;
  /** Waits until a seeder has announced the torrent. */
  seeded(infoHash: string): Promise<void>;
  close(): Promise<void>;
}

export async function startTracker(): Promise<TestTracker> {
  const server = new Server({ udp: true, http: true, ws: false, stats: false });
  const port = await freePort();
  server.on('warning', () => {});
  await new Promise<void>((resolve) => server.listen(port, resolve));
  return {
    http: `http://127.0.0.1:${port}/announce`,
    udp: `udp://127.0.0.1:${port}`,
    async seeded(infoHash) {
      while (!server.torrents[infoHash]?.complete) await sleep(20);
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
