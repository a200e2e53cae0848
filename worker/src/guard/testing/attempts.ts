import { createSocket, type Socket as Datagrams } from 'node:dgram';
import * as http from 'node:http';
import * as https from 'node:https';
import * as net from 'node:net';
import * as tls from 'node:tls';
import { installGuard } from '../index.ts';

// Tries to get past the guard in every known way. A separate process, because the guard is irreversible.

export interface Attempts {
  readonly allow: readonly string[];
  /** A port that must receive no connection. */
  readonly port: number;
  readonly path: string;
}

const { allow, port, path } = JSON.parse(process.argv[2]!) as Attempts;
const guard = installGuard(allow);
const { request } = await import('undici');

const LITERALS = ['127.0.0.1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::1', '0.0.0.0', '::', '127.1.2.3'];
const NAMES = ['localhost', '127.1', '0x7f.1', '2130706433', '0177.0.0.1', '0x7f000001', 'ip6-localhost'];
const HOSTS = [...LITERALS, ...NAMES];

function outcome(socket: net.Socket): Promise<string> {
  return new Promise((resolve) => {
    socket.on('connect', () => resolve('connected'));
    socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.name));
  }).finally(() => socket.destroy()) as Promise<string>;
}

const codeOf = (error: unknown): string => {
  const { code, cause } = error as { code?: string; cause?: unknown };
  return code ?? (cause ? codeOf(cause) : String(error));
};

const asked = (client: http.ClientRequest): Promise<string> =>
  new Promise((resolve) => {
    client.on('response', () => resolve('connected'));
    client.on('error', (error) => resolve(codeOf(error)));
  });

function sent(
  send: (socket: Datagrams, done: (error: Error | null) => void) => void,
  type: 'udp4' | 'udp6' = 'udp4',
) {
  return new Promise<string>((resolve) => {
    const socket = createSocket(type);
    socket.on('error', (error) => resolve(codeOf(error)));
    send(socket, (error) => {
      resolve(error ? codeOf(error) : 'sent');
      socket.close();
    });
  });
}

const bare = (host: string): string => (net.isIPv6(host) ? `[${host}]` : host);
const pinned: net.LookupFunction = (_name, _options, callback) =>
  callback(null, [{ address: '127.0.0.1', family: 4 }]);
const short: net.LookupFunction = (_name, _options, callback) => callback(null, '127.0.0.1', 4);
const rebinding: net.LookupFunction = (_name, _options, callback) =>
  callback(null, [
    { address: '93.184.216.34', family: 4 },
    { address: '127.0.0.1', family: 4 },
  ]);

const ways: Record<string, () => Promise<string>> = {};
for (const host of HOSTS) {
  ways[`net ${host}`] = () => outcome(net.connect(port, host));
  ways[`http ${host}`] = () => asked(http.get({ host, port }));
  ways[`fetch ${host}`] = () => fetch(`http://${bare(host)}:${port}/`).then(() => 'connected', codeOf);
  ways[`undici ${host}`] = () => request(`http://${bare(host)}:${port}/`).then(() => 'connected', codeOf);
}
Object.assign(ways, {
  'net, options': () => outcome(net.connect({ host: '127.0.0.1', port })),
  'net, no host': () => outcome(net.connect(port)),
  'net, port as text': () => outcome(net.connect(String(port) as unknown as number)),
  'net, a socket of its own': () => outcome(new net.Socket().connect(port, '127.0.0.1')),
  'net, one address at a time': () =>
    outcome(net.connect({ host: 'localhost', port, autoSelectFamily: false })),
  'net, a lookup that answers so': () => outcome(net.connect({ host: 'example.org', port, lookup: pinned })),
  'net, a lookup in short': () => outcome(net.connect({ host: 'example.org', port, lookup: short })),
  'net, good and bad addresses': () => outcome(net.connect({ host: 'example.org', port, lookup: rebinding })),
  'unix socket': () => outcome(net.connect(path)),
  'unix socket, options': () => outcome(net.connect({ path })),
  'http over a unix socket': () => asked(http.get({ socketPath: path, path: '/' })),
  tls: () => outcome(tls.connect(port, '127.0.0.1')),
  'tls, options': () => outcome(tls.connect({ host: 'localhost', port })),
  https: () => asked(https.get({ host: '127.0.0.1', port })),
  datagram: () => sent((socket, done) => socket.send('x', port, '127.0.0.1', done)),
  'datagram, no host': () => sent((socket, done) => socket.send('x', port, done)),
  'datagram, sliced': () =>
    sent((socket, done) => socket.send(Buffer.from('xyz'), 1, 1, port, '127.0.0.1', done)),
  'datagram, sliced, no host': () =>
    sent((socket, done) => socket.send(Buffer.from('xyz'), 1, 1, port, done)),
  'datagram, by name': () => sent((socket, done) => socket.send('x', port, 'localhost', done)),
  'datagram, in pieces': () =>
    sent((socket, done) => socket.send([Buffer.from('x')], port, '127.0.0.1', done)),
  'datagram, IPv6': () => sent((socket, done) => socket.send('x', port, '::ffff:127.0.0.1', done), 'udp6'),
  'datagram, connected': () =>
    sent((socket, done) =>
      socket.connect(port, '127.0.0.1', ((error?: Error) =>
        error ? done(error) : socket.send('x', done)) as () => void),
    ),
  'inside of trusted work': () =>
    guard.trusted(() => guard.untrusted(() => outcome(net.connect(port, '127.0.0.1')))),
});

const trusted: Record<string, () => Promise<string>> = {
  net: () => outcome(net.connect(port, '127.0.0.1')),
  'by name': () => outcome(net.connect({ host: 'localhost', port })),
  'unix socket': () => outcome(net.connect(path)),
  datagram: () => sent((socket, done) => socket.send('x', port, '127.0.0.1', done)),
  later: async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    return outcome(net.connect(port, '127.0.0.1'));
  },
};

const run = async (all: Record<string, () => Promise<string>>): Promise<Record<string, string>> =>
  Object.fromEntries(
    await Promise.all(Object.entries(all).map(async ([way, go]) => [way, await go()] as const)),
  );

const strangers = await run(ways);
process.send!({ strangers });
process.once('message', () => {
  void guard
    .trusted(() => run(trusted))
    .then((own) => process.send!({ own }))
    .then(() => process.exit());
});
