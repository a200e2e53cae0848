import { fork, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { ThumbnailDone, ThumbnailOrder } from '@bowerbird/contract';
import { helperEnvironment, type Log } from '../../foundation/index.ts';

export interface Thumbnailer {
  /** True if videos get thumbnails as well. */
  readonly posters: boolean;
  /**
   * Creates a picture under `target`; resolves to false if that is impossible. Rejects with {@link ThumbnailerBusy}.
   */
  make(order: Omit<ThumbnailOrder, 'id'>): Promise<boolean>;
  close(): Promise<void>;
}

/**
 * Thrown if too many thumbnails are requested at the moment, or the decoder crashed: worth another attempt later.
 */
export class ThumbnailerBusy extends Error {
  override name = 'ThumbnailerBusy';
}

export interface ThumbnailerOptions {
  /** Main file of the worker. */
  readonly program: string;
  /** Address of the storage, which the worker opens too. */
  readonly storage: string;
  /** PATH of programs; videos get thumbnails if ffmpeg is found there. */
  readonly path: string;
  readonly log: Log;
  /** Maximum time for one file; some files are made to hang the decoder. */
  readonly orderMs?: number;
  /** Maximum time to start; a process that is not ready by then counts as hung. */
  readonly startMs?: number;
}

interface Waiting {
  readonly order: ThumbnailOrder;
  readonly resolve: (made: boolean) => void;
  readonly reject: (error: Error) => void;
  /** True if the process has crashed on it before. */
  isSuspect: boolean;
}

/** Returns true if ffmpeg, which extracts frames of videos, is installed. */
export function hasFfmpeg(path: string): boolean {
  return path.split(delimiter).some((folder) => folder !== '' && existsSync(join(folder, 'ffmpeg')));
}

/** Largest thumbnail in bytes; this much space is reserved while one is made. */
export const LARGEST_PICTURE = 2 ** 20;
const MOST_WAITING = 200;
const ORDER_MS = 20_000;
const START_MS = 30_000;
/** The process ends after this idle time, to free its memory. */
const IDLE_MS = 120_000;

/**
 * Decodes pictures in a separate process, one at a time, which contains the damage of malicious files. The
 * process is started when the first thumbnail is requested, and again after a crash.
 */
export function createThumbnailer({
  program,
  storage,
  path,
  log,
  orderMs = ORDER_MS,
  startMs = START_MS,
}: ThumbnailerOptions): Thumbnailer {
  const queue: Waiting[] = [];
  let child: { readonly process: ChildProcess; ready: boolean } | undefined;
  let current: { waiting: Waiting; timer: NodeJS.Timeout } | undefined;
  let idle: NodeJS.Timeout | undefined;
  let next = 1;
  let closed = false;

  function start(): void {
    const process = fork(program, ['thumbnails'], {
      env: helperEnvironment(path, { STORAGE: storage }),
      execArgv: ['--max-old-space-size=256'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const started = { process, ready: false };
    process.on('message', (message: ThumbnailDone | 'ready') => {
      if (message !== 'ready') return settle(message);
      started.ready = true;
      proceed();
    });
    process.on('error', (error) => {
      log.warn({ err: error }, 'could not start or reach thumbnail process');
      // A process that was never spawned emits no exit event.
      if (process.pid === undefined) ended(started, null, null);
    });
    // Without the channel no messages can be exchanged any more.
    process.on('disconnect', () => process.kill('SIGKILL'));
    process.on('exit', (code, signal) => ended(started, code, signal));
    const patience = setTimeout(() => process.kill('SIGKILL'), startMs).unref();
    process.once('message', () => clearTimeout(patience));
    process.once('exit', () => clearTimeout(patience));
    process.channel?.unref();
    process.unref();
    child = started;
  }

  function ended(gone: { ready: boolean }, code: number | null, signal: string | null): void {
    if (child !== gone) return;
    child = undefined;
    if (current) {
      log.warn({ code, signal, source: current.waiting.order.source }, 'thumbnail process crashed on a file');
      const waiting = finish(current.waiting.order.id)!;
      // The crash may have another cause; a file that crashes the process twice is at fault.
      if (waiting.isSuspect) waiting.resolve(false);
      else queue.unshift(Object.assign(waiting, { isSuspect: true }));
    } else if (!gone.ready) {
      log.warn({ code, signal }, 'thumbnail process did not start');
      for (const { reject } of queue.splice(0)) reject(new ThumbnailerBusy());
    }
  }

  /** Ends the current order and returns it; undefined if another one is current by now. */
  function finish(id: number): Waiting | undefined {
    if (current?.waiting.order.id !== id) return undefined;
    const { waiting, timer } = current;
    clearTimeout(timer);
    current = undefined;
    queueMicrotask(proceed);
    return waiting;
  }

  function settle(done: ThumbnailDone): void {
    const waiting = finish(done.id);
    if (!done.made && done.later) waiting?.reject(new ThumbnailerBusy());
    else waiting?.resolve(done.made);
  }

  function stop(): void {
    const ending = child;
    child = undefined;
    ending?.process.kill('SIGKILL');
  }

  function proceed(): void {
    if (current || closed) return;
    clearTimeout(idle);
    if (queue.length === 0) {
      idle = setTimeout(stop, IDLE_MS).unref();
      return;
    }
    if (!child) start();
    if (!child?.ready) return;
    const { process } = child;
    const waiting = queue.shift()!;
    const giveUp = (): void => {
      waiting.isSuspect = true;
      process.kill('SIGKILL');
    };
    current = { waiting, timer: setTimeout(giveUp, orderMs).unref() };
    process.send(waiting.order, (error) => {
      if (error) finish(waiting.order.id)?.reject(new ThumbnailerBusy());
    });
  }

  return {
    posters: hasFfmpeg(path),
    make(order) {
      if (closed || queue.length >= MOST_WAITING) return Promise.reject(new ThumbnailerBusy());
      return new Promise((resolve, reject) => {
        queue.push({ order: { ...order, id: next++ }, resolve, reject, isSuspect: false });
        proceed();
      });
    },
    async close() {
      closed = true;
      clearTimeout(idle);
      for (const { reject } of queue.splice(0)) reject(new ThumbnailerBusy());
      if (current) {
        clearTimeout(current.timer);
        current.waiting.reject(new ThumbnailerBusy());
        current = undefined;
      }
      const ending = child?.process;
      if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
      const ended = new Promise<void>((resolve) => void ending.once('exit', () => resolve()));
      // Keeps this process alive until the other has ended, even if nothing else does.
      ending.ref();
      ending.kill('SIGKILL');
      await ended;
    },
  };
}
