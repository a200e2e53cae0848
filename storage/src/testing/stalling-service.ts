import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * A relay between a store and its service. It accepts every connection and keeps all of them open, but can stop
 * passing on the service's responses, or pass everything on slowly.
 */
export async function stallingWay(host: string, port: number) {
  const sockets = new Set<Socket>();
  let left = Number.POSITIVE_INFINITY;
  let stallsOnce = false;
  let pace: { readonly bytes: number; readonly everyMs: number } | undefined;

  /** Passes on data at the current speed. */
  async function pass(from: Socket, to: Socket, allowed: (chunk: Buffer) => Buffer): Promise<void> {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      const bytes = allowed(chunk);
      const step = pace?.bytes ?? Math.max(bytes.length, 1);
      for (let at = 0; at < bytes.length; at += step) {
        to.write(bytes.subarray(at, at + step));
        if (pace) await sleep(pace.everyMs);
      }
    }
    to.end();
  }

  const server = createServer((near) => {
    const far = connect(port, host);
    let isStalled = false;
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
    }
    const answered = (chunk: Buffer): Buffer => {
      if (isStalled) return chunk.subarray(0, 0);
      const passed = chunk.subarray(0, left);
      left -= passed.length;
      if (passed.length < chunk.length) {
        isStalled = true;
        if (stallsOnce) left = Number.POSITIVE_INFINITY;
      }
      return passed;
    };
    pass(near, far, (chunk) => chunk).catch(() => far.destroy());
    pass(far, near, answered).catch(() => near.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    host: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Stops passing on responses after this many more bytes; with `once`, only on the current connection. */
    stallAfter(bytes: number, { once: isOnce = false } = {}) {
      left = bytes;
      stallsOnce = isOnce;
    },
    slowDown(bytes: number, everyMs: number) {
      pace = { bytes, everyMs };
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
