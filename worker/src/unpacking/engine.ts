import { readSync, writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { UnpackFrame, UnpackOrder } from '@bowerbird/contract';
import runSevenZip from './seven-zip.ts';

/** Bytes requested at once, since the engine makes many small reads while it searches. */
const WINDOW = 256 * 1024;
/** Buffer size for the engine's output, which comes in tiny writes. */
const GATHERED = 64 * 1024;
const PAGE = 64 * 1024;

const order = workerData as UnpackOrder;

/** Writes all bytes, and blocks while the pipe is full. */
function say(kind: UnpackFrame, payload: Uint8Array): void {
  const head = Buffer.alloc(5);
  head.write(kind, 0, 'latin1');
  head.writeUInt32LE(payload.byteLength, 1);
  for (const bytes of [head, payload])
    for (let at = 0; at < bytes.byteLength;) at += writeSync(order.frames, bytes, at, bytes.byteLength - at);
}

const gathered = Buffer.alloc(GATHERED);
let filled = 0;
let last: UnpackFrame = 'o';

function flush(): void {
  if (filled > 0) say(last, gathered.subarray(0, filled));
  filled = 0;
}

function gather(kind: UnpackFrame, bytes: Uint8Array): void {
  if (kind !== last || filled + bytes.byteLength > GATHERED) flush();
  last = kind;
  if (bytes.byteLength > GATHERED) return say(kind, bytes);
  gathered.set(bytes, filled);
  filled += bytes.byteLength;
}

function ask(position: number, length: number): Buffer {
  const wish = Buffer.alloc(12);
  wish.writeBigUInt64LE(BigInt(position), 0);
  wish.writeUInt32LE(length, 8);
  say('w', wish);
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length;) {
    const read = readSync(order.answers, bytes, at, length - at, null);
    // The server has closed the pipe.
    if (read === 0) process.exit();
    at += read;
  }
  return bytes;
}

let window: { readonly start: number; readonly bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };

/** Copies bytes of the archive into the engine's buffer. Returns how many. */
function readInto(target: Uint8Array, position: number): number {
  const length = Math.max(0, Math.min(target.byteLength, order.size - position));
  if (length === 0) return 0;
  const isHeld = position >= window.start && position < window.start + window.bytes.length;
  if (!isHeld) {
    const asked = Math.min(Math.max(length, WINDOW), order.size - position);
    window = { start: position, bytes: ask(position, asked) };
  }
  return window.bytes.copy(target, 0, position - window.start, position - window.start + length);
}

interface Memory {
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

// A dictionary may be larger than the available memory; then the engine's allocation fails.
const { prototype } = (globalThis as unknown as { WebAssembly: { Memory: { prototype: Memory } } })
  .WebAssembly.Memory;
const { grow } = prototype;
prototype.grow = function (pages) {
  if (this.buffer.byteLength + pages * PAGE > order.memory)
    throw new RangeError('memory limit of the engine reached');
  return grow.call(this, pages);
};

const code = await runSevenZip({
  args: order.args,
  file: { path: order.path, size: order.size, read: readInto },
  out: (bytes) => gather('o', bytes),
  told: (bytes) => gather('t', bytes),
});
flush();
say('e', Uint8Array.of(code));
