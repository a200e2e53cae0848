import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP relay to a program at `port` that simulates network failures. */
export interface Relay {
  readonly address: string;
  /** Bytes received from the other end. */
  readonly carried: number;
  /**
   * Resets connections and refuses new ones, like a router that restarts, once this many bytes were received. Resolves
   * then.
   */
  tear(bytes: number): Promise<void>;
  /**
   * Drops all bytes without closing connections, like an unplugged cable, once this many bytes were received. New
   * connections get no answer either. Resolves then.
   */
  silence(bytes: number): Promise<void>;
  /** Works again. Silenced connections stay silent: the other end has forgotten them and cannot report that. */
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
  let failure: { readonly bytes: number; readonly begin: () => void } | undefined;
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
    far.on('data', (bytes) => {
      carried += bytes.length;
      if (failure && carried >= failure.bytes) failure.begin();
    });
    near.on('close', () => far.destroy());
    far.on('close', () => {
      farEnds.delete(far);
      if (!silenced.delete(far)) near.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reset = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const failAt = (bytes: number, how: 'torn' | 'silent', fail: () => void): Promise<void> =>
    new Promise((resolve) => {
      const begin = (): void => {
        failure = undefined;
        state = how;
        fail();
        resolve();
      };
      failure = { bytes, begin };
    });
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    get carried() {
      return carried;
    },
    tear: (bytes) => failAt(bytes, 'torn', reset),
    silence: (bytes) =>
      failAt(bytes, 'silent', () => {
        for (const socket of sockets) socket.unpipe().pause();
        for (const far of farEnds) silenced.add(far);
      }),
    mend() {
      state = 'works';
      for (const far of silenced) far.destroy();
    },
    async close() {
      reset();
      server.close();
      await once(server, 'close');
    },
  };
}
