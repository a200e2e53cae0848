import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A stretch of network between a program and one that lives at `port`, which can fail as networks do. */
export interface Relay {
  readonly address: string;
  /** Bytes that came from the other end. */
  readonly carried: number;
  /** Connections are torn and new ones refused, as when a router starts anew. */
  tear(): void;
  /** Nothing passes any more, and nobody is told, as when a cable is pulled. New connections hear nothing either. */
  silence(): void;
  /** Works again. What was silenced stays so: the other end has forgotten it, and can't say so. */
  mend(): void;
  close(): Promise<void>;
}

type State = 'works' | 'torn' | 'silent';

export async function startRelay(port: number): Promise<Relay> {
  const sockets = new Set<Socket>();
  const farEnds = new Set<Socket>();
  const silenced = new Set<Socket>();
  let state: State = 'works';
  let carried = 0;
  const know = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  };
  const server = createServer((near) => {
    know(near);
    if (state === 'torn') near.destroy();
    if (state !== 'works') return;
    const far = connect(port, '127.0.0.1');
    know(far);
    near.pipe(far).pipe(near);
    farEnds.add(far);
    far.on('data', (bytes) => (carried += bytes.length));
    near.on('close', () => far.destroy());
    far.on('close', () => {
      farEnds.delete(far);
      if (!silenced.delete(far)) near.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const tear = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    get carried() {
      return carried;
    },
    tear() {
      state = 'torn';
      tear();
    },
    silence() {
      state = 'silent';
      for (const socket of sockets) socket.unpipe().pause();
      for (const far of farEnds) silenced.add(far);
    },
    mend() {
      state = 'works';
      for (const far of silenced) far.destroy();
    },
    async close() {
      tear();
      server.close();
      await once(server, 'close');
    },
  };
}
