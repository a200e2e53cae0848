import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AddressForbidden, type Guard } from '../guard/index.ts';

/** An HTTP proxy for aria2, so that our guard checks its connections. */
export interface Proxy {
  /** Creates credentials for a job, valid until closed. */
  open(job: string): Promise<ProxyAccess>;
  close(): Promise<void>;
}

export interface ProxyAccess {
  readonly address: string;
  /** True after a request for a forbidden address. */
  readonly wasForbidden: boolean;
  close(): void;
}

interface ProxyClient {
  readonly password: string;
  readonly sockets: Set<Duplex>;
  wasForbidden: boolean;
}

/** Creates a proxy that listens at `host` once it is needed. It supports only CONNECT. */
export function createProxy(host: () => string, guard: Guard): Proxy {
  const clients = new Map<string, ProxyClient>();
  let listening: Promise<Server> | undefined;

  async function listen(): Promise<Server> {
    const server = createServer((_request, response) => void response.writeHead(405).end());
    server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
      client.on('error', () => {});
      guard.untrusted(() => tunnel(request, client, head));
    });
    server.on('clientError', (_error, socket) => void socket.destroy());
    server.listen(0, host());
    await once(server, 'listening');
    return server;
  }

  function tunnel(request: IncomingMessage, client: Duplex, head: Buffer): void {
    const proxyClient = clientOf(request);
    if (!proxyClient) return refuse(client, 407);
    const target = URL.parse(`tcp://${request.url}`);
    if (!target?.hostname || !target.port) return refuse(client, 400);
    const upstream: Socket = connect({
      host: target.hostname.replace(/^\[|\]$/g, ''),
      port: Number(target.port),
    });
    proxyClient.sockets.add(client);
    client.once('close', () => {
      proxyClient.sockets.delete(client);
      upstream.destroy();
    });
    upstream.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client);
      client.pipe(upstream);
    });
    upstream.once('error', (error) => {
      if (error instanceof AddressForbidden) proxyClient.wasForbidden = true;
      refuse(client, error instanceof AddressForbidden ? 403 : 502);
    });
    upstream.once('close', () => client.destroy());
  }

  function clientOf({ headers }: IncomingMessage): ProxyClient | undefined {
    const [scheme, code = ''] = (headers['proxy-authorization'] ?? '').split(' ');
    const [job = '', password] = Buffer.from(code, 'base64').toString().split(':');
    const proxyClient = clients.get(job);
    return scheme === 'Basic' && proxyClient && proxyClient.password === password ? proxyClient : undefined;
  }

  return {
    async open(job) {
      const server = await (listening ??= listen());
      const proxyClient: ProxyClient = {
        password: randomBytes(24).toString('base64url'),
        sockets: new Set(),
        wasForbidden: false,
      };
      clients.set(job, proxyClient);
      const { address, port, family } = server.address() as AddressInfo;
      const shown = family === 'IPv6' ? `[${address}]` : address;
      return {
        address: `http://${job}:${proxyClient.password}@${shown}:${port}`,
        get wasForbidden() {
          return proxyClient.wasForbidden;
        },
        close() {
          clients.delete(job);
          for (const socket of proxyClient.sockets) socket.destroy();
        },
      };
    },
    async close() {
      const server = await listening;
      listening = undefined;
      if (!server) return;
      for (const { sockets } of clients.values()) for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function refuse(client: Duplex, status: number): void {
  client.end(`HTTP/1.1 ${status} \r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}
