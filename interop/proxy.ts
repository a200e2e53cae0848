import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, request as ask, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The domains that are hard-coded in clients of the protocol. */
const DOMAINS = ['mypikpak.com', 'mypikpak.net', 'pikpak.me', 'pikpakdrive.com'];

/**
 * A proxy between unmodified clients and our server: whichever host of the family they request, they reach our server.
 */
export interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** Path of the certificate of the authority that signed for the family's hosts. */
  readonly authority: string;
  /** Every request to one of the hosts, as `METHOD host/path`. */
  readonly seen: string[];
}

const isOurs = (host: string): boolean =>
  DOMAINS.some((domain) => host === domain || host.endsWith(`.${domain}`));
const isLoopback = (host: string): boolean => host === 'localhost' || host.startsWith('127.');

const openssl = (...args: string[]) => promisify(execFile)('openssl', args);

/** A certificate authority for this run only, and its certificate for the hosts of the family. */
async function makeCertificate(folder: string): Promise<{ authority: string; key: Buffer; cert: Buffer }> {
  const at = (name: string): string => join(folder, name);
  const names = DOMAINS.flatMap((domain) => [`DNS:${domain}`, `DNS:*.${domain}`]).join(',');
  await writeFile(at('leaf.ext'), `subjectAltName=${names}\nextendedKeyUsage=serverAuth\n`);
  const fresh = ['-newkey', 'rsa:2048', '-nodes'];
  await openssl(
    'req',
    '-x509',
    ...fresh,
    '-days',
    '2',
    '-subj',
    '/CN=interop authority',
    '-keyout',
    at('ca.key'),
    '-out',
    at('ca.pem'),
  );
  await openssl('req', ...fresh, '-subj', '/CN=interop', '-keyout', at('leaf.key'), '-out', at('leaf.csr'));
  await openssl(
    'x509',
    '-req',
    '-days',
    '2',
    '-in',
    at('leaf.csr'),
    '-CA',
    at('ca.pem'),
    '-CAkey',
    at('ca.key'),
    '-CAcreateserial',
    '-extfile',
    at('leaf.ext'),
    '-out',
    at('leaf.pem'),
  );
  return {
    authority: at('ca.pem'),
    key: await readFile(at('leaf.key')),
    cert: await readFile(at('leaf.pem')),
  };
}

export async function startProxy(folder: string, upstream: { port: number }): Promise<Proxy> {
  const { authority, key, cert } = await makeCertificate(folder);
  const seen: string[] = [];
  const open = new Set<Socket>();

  /** Forwards a request, with the Host by which the client knows us. */
  function forward(
    incoming: IncomingMessage,
    answer: ServerResponse,
    to: { host: string; port: number },
  ): void {
    const outgoing = ask(
      {
        host: to.host,
        port: to.port,
        method: incoming.method,
        path: incoming.url!.replace(/^https?:\/\/[^/]*/i, '') || '/',
        headers: incoming.headers,
      },
      (reply) => {
        answer.writeHead(reply.statusCode!, reply.rawHeaders);
        reply.pipe(answer);
      },
    );
    outgoing.on('error', () => answer.destroy());
    incoming.on('error', () => outgoing.destroy());
    incoming.pipe(outgoing);
  }
  const toServer = { host: '127.0.0.1', port: upstream.port };
  const note = ({ method, url, headers }: IncomingMessage): void =>
    void seen.push(`${method} ${headers.host}${(url ?? '').replace(/^https?:\/\/[^/]*/i, '').split('?')[0]}`);

  const secure = createSecureServer({ key, cert }, (incoming, answer) => {
    note(incoming);
    forward(incoming, answer, toServer);
  });
  const plain = createServer((incoming, answer) => {
    const target = URL.parse(incoming.url ?? '');
    if (target && isOurs(target.hostname)) {
      note(incoming);
      return forward(incoming, answer, toServer);
    }
    if (target && isLoopback(target.hostname))
      return forward(incoming, answer, { host: target.hostname, port: Number(target.port || 80) });
    answer.writeHead(502).end();
  });
  plain.on('connect', (incoming, socket: Socket) => {
    const [host = '', port = '443'] = (incoming.url ?? '').split(':');
    if (isOurs(host)) {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      secure.emit('connection', socket);
    } else if (isLoopback(host)) {
      const through = connect(Number(port), host, () => {
        socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
        socket.pipe(through).pipe(socket);
      });
      through.on('error', () => socket.destroy());
      socket.on('error', () => through.destroy());
    } else socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  plain.on('connection', (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
  });
  plain.listen(0, '127.0.0.1');
  await once(plain, 'listening');
  const { port } = plain.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    authority,
    seen,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => plain.close(resolve));
    },
  };
}
