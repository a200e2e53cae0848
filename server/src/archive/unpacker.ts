import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import type { UnpackFrame, UnpackOrder } from '@bowerbird/contract';
import { createSemaphore, type Log } from '../foundation/index.ts';
import type { RandomAccess } from './archive-items.ts';

/** Output of the engine while it runs. */
export type Said =
  | { readonly kind: 'out'; readonly bytes: Buffer }
  /** Bytes decoded as latin1. */
  | { readonly kind: 'told'; readonly text: string }
  | { readonly kind: 'end'; readonly code: number };

export interface Unpacker {
  /**
   * Runs the engine on an archive in a process of its own, which ends with the run, or when the consumer stops reading.
   * Throws {@link EngineDied} if it crashed, hung, was killed by the signal, or requested bytes beyond the archive;
   * `unavailable` if too many wait.
   */
  run(
    archive: RandomAccess,
    args: readonly string[],
    signal?: AbortSignal,
  ): AsyncGenerator<Said, void, undefined>;
}

/** The engine crashed on an archive, did not finish, or exceeded a limit. */
export class EngineDied extends Error {
  override name = 'EngineDied';
}

export interface UnpackerOptions {
  /** The worker's main file. */
  readonly program: string;
  readonly log: Log;
  /** An engine that requests and outputs nothing for this long counts as hung. */
  readonly silenceMs?: number;
  readonly memory?: number;
}

const SILENCE_MS = 60_000;
/**
 * Maximum running time, plus one second per MiB read or written; after that, the engine counts as hung
 * despite its output.
 */
const WORK_MS = 600_000;
const WORK_BYTES_PER_MS = 1024;
const MEMORY = 768 * 2 ** 20;
const MOST_HEAP_MB = 64;
/** Each uses memory and a core of its own. */
const AT_ONCE = 3;
/** Path of the archive for the engine. */
export const UNPACKED = '/archive/it';
const FRAMES_FD = 3;
const ANSWERS_FD = 4;
const FRAME_HEAD = 5;
const MOST_WAITING = 50;
/** Maximum length of a frame from the engine. */
const LONGEST_FRAME = 4 * 2 ** 20;

export function createUnpacker({
  program,
  log,
  silenceMs = SILENCE_MS,
  memory = MEMORY,
}: UnpackerOptions): Unpacker {
  const semaphore = createSemaphore({ atOnce: AT_ONCE, mostWaiting: MOST_WAITING });

  /** Starts the process with permission to read its own program only: no writing, connecting or spawning. */
  function start(): ChildProcess {
    const worker = dirname(dirname(program));
    const readable = [worker, join(worker, '../node_modules'), join(worker, '../package.json')];
    return spawn(
      process.execPath,
      [
        '--permission',
        ...readable.map((path) => `--allow-fs-read=${path}`),
        '--allow-worker',
        '--disable-warning=SecurityWarning',
        `--max-old-space-size=${MOST_HEAP_MB}`,
        program,
        'unpack',
      ],
      { env: {}, stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe', 'ipc'] },
    );
  }

  async function* talk(
    child: ChildProcess,
    archive: RandomAccess,
    args: readonly string[],
  ): AsyncGenerator<Said, void, undefined> {
    const pipes = child.stdio as unknown as Record<number, Readable & Writable>;
    const answers = pipes[ANSWERS_FD]!;
    // If the process dies the frames end, which is handled below.
    answers.on('error', () => undefined);
    child.on('error', () => undefined);
    child.once('message', () => {
      const order: UnpackOrder = {
        args,
        path: UNPACKED,
        size: archive.size,
        memory,
        frames: FRAMES_FD,
        answers: ANSWERS_FD,
      };
      child.send(order, () => undefined);
    });
    const watch = watching(child, silenceMs);
    const frames = readFrames(pipes[FRAMES_FD]!);
    try {
      for (;;) {
        watch.wait();
        const { done, value: frame } = await frames.next();
        watch.rest();
        if (done) throw new EngineDied();
        const { kind, payload } = frame;
        watch.passed(payload.length);
        if (kind === 'w') {
          const start = Number(payload.readBigUInt64LE(0));
          const length = payload.readUInt32LE(8);
          if (start + length > archive.size) throw new EngineDied('it requested bytes beyond the archive');
          watch.passed(length);
          if (length > 0) await pipeTo(await archive.stream(start, length), length, answers);
        } else if (kind === 'o') yield { kind: 'out', bytes: payload };
        else if (kind === 't') yield { kind: 'told', text: payload.toString('latin1') };
        else {
          yield { kind: 'end', code: payload[0] ?? 255 };
          return;
        }
      }
    } finally {
      watch.rest();
      await frames.return();
    }
  }

  return {
    async *run(archive, args, signal) {
      await semaphore.acquire();
      let child: ChildProcess | undefined;
      const stop = (): void => void child?.kill('SIGKILL');
      try {
        child = start();
        signal?.addEventListener('abort', stop);
        if (signal?.aborted) stop();
        yield* talk(child, archive, args);
      } catch (error) {
        if (error instanceof EngineDied && !signal?.aborted)
          log.warn(
            { code: child?.exitCode, signal: child?.signalCode },
            'unpacking process crashed on an archive',
          );
        throw error;
      } finally {
        signal?.removeEventListener('abort', stop);
        if (child && child.exitCode === null && child.signalCode === null && child.pid !== undefined) {
          const isOver = once(child, 'exit');
          child.kill('SIGKILL');
          await isOver;
        }
        semaphore.release();
      }
    },
  };
}

/** Sends the process the bytes that it requested; does nothing if it has died in the meantime. */
async function pipeTo(source: AsyncIterable<Uint8Array>, length: number, answers: Writable): Promise<void> {
  let given = 0;
  for await (const chunk of source) {
    if (answers.destroyed) return;
    given += chunk.byteLength;
    if (!answers.write(chunk)) await roomIn(answers);
  }
  if (given !== length) throw new Error('an archive is shorter than it was');
}

function roomIn(answers: Writable): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      answers.off('drain', done);
      answers.off('close', done);
      resolve();
    };
    answers.on('drain', done);
    answers.on('close', done);
  });
}

interface Frame {
  readonly kind: UnpackFrame;
  readonly payload: Buffer;
}

async function* readFrames(source: Readable): AsyncGenerator<Frame, void, undefined> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of source as AsyncIterable<Buffer>) {
    held = held.length === 0 ? chunk : Buffer.concat([held, chunk]);
    for (;;) {
      if (held.length < FRAME_HEAD) break;
      const length = held.readUInt32LE(1);
      if (length > LONGEST_FRAME) throw new EngineDied('it sent too much at once');
      if (held.length < FRAME_HEAD + length) break;
      const end = FRAME_HEAD + length;
      yield { kind: String.fromCharCode(held[0]!) as UnpackFrame, payload: held.subarray(FRAME_HEAD, end) };
      held = held.subarray(end);
    }
  }
}

/** Kills a process that is silent for too long, or works for longer than its archive can need. */
function watching(child: ChildProcess, silenceMs: number) {
  let allowance = WORK_MS;
  let since = 0;
  let timer: NodeJS.Timeout | undefined;
  return {
    wait() {
      since = performance.now();
      timer = setTimeout(() => child.kill('SIGKILL'), Math.min(silenceMs, Math.max(0, allowance)));
    },
    rest() {
      if (timer) allowance -= performance.now() - since;
      clearTimeout(timer);
      timer = undefined;
    },
    passed(bytes: number) {
      allowance += bytes / WORK_BYTES_PER_MS;
    },
  };
}
