// What the server and its unpacking process say to each other. The process is started for one run of the engine and
// ends with it. It has no door to the storage, the network or the disk: it asks for the archive's bytes, and says what
// the engine says. The order comes over the channel between them, everything else over two pipes.

export interface UnpackOrder {
  /** Arguments of the engine. */
  readonly args: readonly string[];
  /** Path at which the engine finds the archive. */
  readonly path: string;
  /** Bytes of the archive. */
  readonly size: number;
  /** Bytes of memory that the engine may use. */
  readonly memory: number;
  /** Descriptor of the pipe on which the process sends frames. */
  readonly frames: number;
  /** Descriptor of the pipe on which it receives the bytes that it requested, exactly that many. */
  readonly answers: number;
}

/**
 * A frame is one byte of kind, four of length (little-endian) and the payload. `w`: it wants bytes of the archive, eight
 * bytes of position and four of length. `o`: output of the engine, content or a listing. `t`: messages of the engine
 * about it, in the same order. `e`: the engine ended, one byte of exit code.
 */
export type UnpackFrame = 'w' | 'o' | 't' | 'e';
