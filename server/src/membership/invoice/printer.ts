import { fork, type ChildProcess } from 'node:child_process';
import { ApiFailure, type InvoiceSheet, type PrintDone, type PrintOrder } from '@bowerbird/contract';
import { helperEnvironment, type Log } from '../../foundation/index.ts';

/** Writes PDF files in another process, which reads large fonts: the first page takes up to a quarter of a second of processor time. */
export interface Printer {
  /** Throws `unavailable` if too many are waiting, or the process failed. */
  print(sheet: InvoiceSheet): Promise<Buffer>;
  close(): Promise<void>;
}

interface Parts {
  /** Main file of the helper processes. */
  readonly program: string;
  /** PATH of programs. */
  readonly path: string;
  readonly log: Log;
}

const MOST_WAITING = 100;
/** Reading the fonts of the first page takes up to two seconds on a slow machine. */
const ORDER_MS = 30_000;
/** The process ends after this idle time, to free its memory. */
const IDLE_MS = 30_000;
const MOST_HEAP_MB = 256;

interface Waiting {
  readonly order: PrintOrder;
  readonly resolve: (pdf: Buffer) => void;
  readonly reject: (error: Error) => void;
  readonly timer: NodeJS.Timeout;
}

/** The process is started when the first page is printed. */
export function createPrinter({ program, path, log }: Parts): Printer {
  const waiting = new Map<number, Waiting>();
  let child: ChildProcess | undefined;
  /** True once the process takes orders. */
  let isReady = false;
  let idle: NodeJS.Timeout | undefined;
  let last = 0;
  let isClosed = false;

  function start(): ChildProcess {
    const started = fork(program, ['pdf'], {
      env: helperEnvironment(path, {}),
      execArgv: [`--max-old-space-size=${MOST_HEAP_MB}`],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    started.on('message', (message: PrintDone | 'ready') => {
      if (message !== 'ready') return settle(message);
      if (child !== started) return;
      isReady = true;
      for (const { order } of waiting.values()) send(started, order);
    });
    started.on('error', (error) => {
      log.warn({ err: error }, 'could not start or reach the process that writes PDF files');
      lose(started);
    });
    started.on('exit', () => lose(started));
    started.channel?.unref();
    started.unref();
    return started;
  }

  function send(to: ChildProcess, order: PrintOrder): void {
    to.send(order, (error) => {
      if (error) settle({ id: order.id, error: String(error) });
    });
  }

  function settle(done: PrintDone): void {
    const found = waiting.get(done.id);
    if (!found) return;
    waiting.delete(done.id);
    clearTimeout(found.timer);
    if ('pdf' in done) found.resolve(Buffer.from(done.pdf, 'base64'));
    else {
      log.error({ reason: done.error }, 'a PDF file could not be written');
      found.reject(new ApiFailure('unavailable'));
    }
    if (waiting.size > 0) return;
    child?.channel?.unref();
    child?.unref();
    idle = setTimeout(stop, IDLE_MS).unref();
  }

  /** The process is gone, and with it all that was waiting for it. */
  function lose(gone: ChildProcess): void {
    if (child !== gone) return;
    child = undefined;
    isReady = false;
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer);
      reject(new ApiFailure('unavailable'));
    }
    waiting.clear();
  }

  function stop(): void {
    const ending = child;
    child = undefined;
    isReady = false;
    ending?.kill('SIGKILL');
  }

  return {
    print(sheet) {
      if (isClosed || waiting.size >= MOST_WAITING) return Promise.reject(new ApiFailure('unavailable'));
      clearTimeout(idle);
      const running = (child ??= start());
      last += 1;
      const order: PrintOrder = { id: last, sheet };
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => running.kill('SIGKILL'), ORDER_MS).unref();
        // Keeps this process alive until the file is there; between files, it may end.
        running.channel?.ref();
        running.ref();
        waiting.set(order.id, { order, resolve, reject, timer });
        if (isReady) send(running, order);
      });
    },
    async close() {
      isClosed = true;
      clearTimeout(idle);
      const ending = child;
      if (!ending) return;
      lose(ending);
      if (ending.exitCode !== null || ending.signalCode !== null) return;
      const ended = new Promise<void>((resolve) => void ending.once('exit', () => resolve()));
      ending.ref();
      ending.kill('SIGKILL');
      await ended;
    },
  };
}
