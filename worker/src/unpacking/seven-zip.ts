import { constants } from 'node:fs';
import { dirname } from 'node:path/posix';
import sevenZip, { type SevenZipModuleFactory } from '7z-wasm';

interface Run {
  readonly args: readonly string[];
  readonly file: {
    readonly path: string;
    readonly size: number;
    /** Copies bytes from a position. Returns how many. */
    read(target: Uint8Array, position: number): number;
  };
  readonly out: (bytes: Uint8Array) => void;
  readonly told: (bytes: Uint8Array) => void;
}

/** The parts of the emulated file system that its own types lack. */
interface FileSystem {
  mkdir(path: string): void;
  create(path: string, mode: number): FileNode;
  streams: { stream_ops: StreamOps }[];
}
interface FileNode {
  usedBytes: number;
  stream_ops: StreamOps;
}
interface StreamOps {
  read?(stream: unknown, heap: Int8Array, offset: number, length: number, position: number): number;
  write?(stream: unknown, heap: Int8Array, offset: number, length: number): number;
}

// 7z-wasm reads flag constants with `process.binding`, which the permission model refuses.
Object.assign(process, { binding: () => ({ fs: constants }) });

const [OUT, TOLD] = [1, 2];
const READ_ONLY = 0o444;

/** Runs 7-Zip once, on one file that is read through `file`. Returns its exit code. */
export default async function runSevenZip({ args, file, out, told }: Run): Promise<number> {
  const open = sevenZip as unknown as SevenZipModuleFactory;
  const engine = await open({ stdin: () => null as unknown as number });
  const files = engine.FS as unknown as FileSystem;

  files.mkdir(dirname(file.path));
  const node = files.create(file.path, READ_ONLY);
  node.usedBytes = file.size;
  node.stream_ops = {
    ...node.stream_ops,
    read: (_, heap, offset, length, position) =>
      file.read(new Uint8Array(heap.buffer, heap.byteOffset + offset, length), position),
    write: () => {
      throw new Error('an archive is read-only');
    },
  };
  const writing =
    (to: (bytes: Uint8Array) => void): StreamOps['write'] =>
    (_, heap, offset, length) => {
      to(new Uint8Array(heap.buffer, heap.byteOffset + offset, length));
      return length;
    };
  for (const [fd, to] of [
    [OUT, out],
    [TOLD, told],
  ] as const) {
    const stream = files.streams[fd!]!;
    stream.stream_ops = { ...stream.stream_ops, write: writing(to)! };
  }

  // Its types omit the exit code.
  return engine.callMain([...args]) as unknown as number;
}
