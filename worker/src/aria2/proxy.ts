import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { AddressForbidden, type Guard } from '../guard/index.ts';

/** A way out for aria2, past our guard: it connects where strangers may send us, and nowhere else. */
export interface Proxy {
  /** Gives a job its own way, for as long as it needs one. */
  open(job: string): Promise<Way>;
  close(): Promise<void>;
}

export interface Way {
  readonly address: string;
  /** Whether it was asked for something forbidden. */
  readonly wasForbidden: boolean;
  close(): void;
}

interface Passenger {
  readonly password: string;
  readonly sockets: Set<Duplex>;
  wasForbidden: boolean;
}

/** Listens where `host` says, once somebody needs a way. It has to be told to tunnel: it knows CONNECT alone. */
export function createProxy(host: () => string, guard: Guard): Proxy {
  const passengers = new Map<string, Passenger>();
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
    const passenger = passengerOf(request);
    if (!passenger) return refuse(client, 407);
    const target = URL.parse(`tcp://${request.url}`);
    if (!target?.hostname || !target.port) return refuse(client, 400);
    const upstream: Socket = connect({
      host: target.hostname.replace(/^\[|\]$/g, ''),
      port: Number(target.port),
    });
    passenger.sockets.add(client);
    client.once('close', () => {
      passenger.sockets.delete(client);
      upstream.destroy();
    });
    upstream.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(client);
      client.pipe(upstream);
    });
    upstream.once('error', (error) => {
      if (error instanceof AddressForbidden) passenger.wasForbidden = true;
      refuse(client, error instanceof AddressForbidden ? 403 : 502);
    });
    upstream.once('close', () => client.destroy());
  }

  function passengerOf({ headers }: IncomingMessage): Passenger | undefined {
    const [scheme, code = ''] = (headers['proxy-authorization'] ?? '').split(' ');
    const [job = '', password] = Buffer.from(code, 'base64').toString().split(':');
    const passenger = passengers.get(job);
    return scheme === 'Basic' && passenger && passenger.password === password ? passenger : undefined;
  }

  return {
    async open(job) {
      const server = await (listening ??= listen());
      const passenger: Passenger = {
        password: randomBytes(24).toString('base64url'),
        sockets: new Set(),
        wasForbidden: false,
      };
      passengers.set(job, passenger);
      const { address, port, family } = server.address() as AddressInfo;
      const shown = family === 'IPv6' ? `[${address}]` : address;
      return {
        address: `http://${job}:${passenger.password}@${shown}:${port}`,
        get wasForbidden() {
          return passenger.wasForbidden;
        },
        close() {
          passengers.delete(job);
          for (const socket of passenger.sockets) socket.destroy();
        },
      };
    },
    async close() {
      const server = await listening;
      listening = undefined;
      if (!server) return;
      for (const { sockets } of passengers.values()) for (const socket of sockets) socket.destroy();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function refuse(client: Duplex, status: number): void {
  client.end(`HTTP/1.1 ${status} \r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
}
