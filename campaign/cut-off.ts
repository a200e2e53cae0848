import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A relay to a service on this machine that can be cut. */
export interface Way extends AsyncDisposable {
  readonly port: number;
  /** Breaks all connections and refuses new ones, or lets new ones hang. */
  cut(how: 'refused' | 'silent'): void;
  restore(): void;
}

export async function openWay(target: { host: string; port: number }): Promise<Way> {
  let state: 'open' | 'refused' | 'silent' = 'open';
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    keep(near);
    if (state === 'refused') return void near.destroy();
    if (state === 'silent') return;
    const far = connect(target);
    keep(far);
    near.pipe(far).pipe(near);
    near.on('close', () => far.destroy());
    far.on('close', () => near.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cut(how) {
      state = how;
      for (const socket of sockets) socket.destroy();
    },
    restore() {
      state = 'open';
      for (const socket of sockets) socket.destroy();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
