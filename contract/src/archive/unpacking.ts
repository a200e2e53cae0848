// The messages between the server and its unpacking process. The process is started for one run of the engine and ends
// with it. It has no access to the storage, the network or the disk: it requests the archive's bytes, and passes on the
// engine's output. The order is sent over the channel between them, everything else over two pipes.

export interface UnpackOrder {
  /** Arguments of the engine. */
  readonly args: readonly string[];
  /** Path at which the engine finds the archive. */
  readonly path: string;
  /** Bytes of the archive. */
  readonly size: number;
  /** Maximum bytes of memory that the engine may use. */
  readonly memory: number;
  /** Descriptor of the pipe on which the process sends frames. */
  readonly frames: number;
  /** Descriptor of the pipe on which it receives exactly the bytes that it requested. */
  readonly answers: number;
}

/**
 * A frame consists of one byte for its kind, four for its length (little-endian) and the payload. `w`: a request for
 * bytes of the archive, with eight bytes of position and four of length. `o`: output of the engine, content or a
 * listing. `t`: messages of the engine about that output, in the same order. `e`: the engine has ended, with one byte
 * of exit code.
 */
export type UnpackFrame = 'w' | 'o' | 't' | 'e';
