import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

const SLAB_BYTES = 2 ** 20;
const LEAST_BYTES = 2 ** 18;

/**
 * Opens connections. Sockets read 64 KiB at a time, each time into memory of its own, unless they are given some: with
 * more at once, a gigabyte costs half of the time.
 */
export function createConnector(timeout: number): buildConnector.connector {
  const options = { timeout, allowH2: false };
  // Records of TLS are small anyway, and sessions are remembered here.
  const secure = buildConnector(options);
  return (target, callback) => {
    if (target.protocol === 'https:') return secure(target, callback);
    const plain = { ...options, highWaterMark: SLAB_BYTES, onread: createSlabs() };
    return buildConnector(plain as buildConnector.BuildOptions)(target, callback);
  };
}

/** Memory for one socket: what is read lies side by side in a slab, and the next one begins where too little is left. */
function createSlabs(): {
  buffer: () => Uint8Array;
  callback: (this: Socket, bytes: number, into: Uint8Array) => boolean;
} {
  let slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
  let used = 0;
  return {
    buffer() {
      if (SLAB_BYTES - used < LEAST_BYTES) {
        slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
        used = 0;
      }
      return slab.subarray(used);
    },
    callback(bytes, into) {
      used += bytes;
      return this.push(into.subarray(0, bytes));
    },
  };
}
