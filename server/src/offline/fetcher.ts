import { fork, type ChildProcess } from 'node:child_process';
import { FETCHER_FLAGS, type FetcherSettings, type FetchOrder, type FetchWord } from '@bowerbird/contract';
import { helperEnvironment, type Log } from '../foundation/index.ts';

/** What is said of an order. */
export type OrderWord = Exclude<FetchWord, { word: 'ready' | 'pong' }>;

/** The process beside this one that talks to strangers. It is started when there is something to do, and again after it died. */
export interface Fetcher {
  /** Gives an order; where the process is only just starting, as soon as it is ready. */
  send(order: FetchOrder): void;
  /** Says who hears its words, and who hears that it died: every order that ran is lost then. */
  attend(hearing: { word(word: OrderWord): void; lost(): void }): void;
  close(): Promise<void>;
}

export interface FetcherOptions {
  /** The worker's main file. */
  readonly program: string;
  readonly settings: FetcherSettings;
  /** Where programs are found (PATH). */
  readonly path: string;
  readonly log: Log;
  /** A process that has orders and says nothing for so long, even when asked, hangs. */
  readonly silenceMs?: number;
}

const SILENCE_MS = 60_000;
/** Without orders the process ends: memory that nobody needs. */
const IDLE_MS = 180_000;
/** A process that dies as soon as it is up is not started again at once. */
const REST_MS = 2_000;

interface Child {
  readonly process: ChildProcess;
  ready: boolean;
  heardAt: number;
}

export function createFetcher({
  program,
  settings,
  path,
  log,
  silenceMs = SILENCE_MS,
}: FetcherOptions): Fetcher {
  let child: Child | undefined;
  let hearing: Parameters<Fetcher['attend']>[0] | undefined;
  let waiting: FetchOrder[] = [];
  const open = new Set<string>();
  /** Of the orders: those that end with the facts. */
  const inspections = new Set<string>();
  let idle: NodeJS.Timeout | undefined;
  let watch: NodeJS.Timeout | undefined;
  let restUntil = 0;
  let rest: NodeJS.Timeout | undefined;
  let closed = false;

  function start(): void {
    const process = fork(program, ['fetch'], {
      env: helperEnvironment(path, { FETCHER: JSON.stringify(settings) }),
      execArgv: [...FETCHER_FLAGS],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const started: Child = { process, ready: false, heardAt: performance.now() };
    child = started;
    process.on('message', (word: FetchWord) => {
      started.heardAt = performance.now();
      if (word.word === 'pong') return;
      if (word.word !== 'ready') return hear(word);
      started.ready = true;
      for (const order of waiting.splice(0)) process.send(order);
    });
    process.on('error', (error) => {
      log.warn({ err: error }, 'the fetching process could not be started or reached');
      // One that never came to be does not exit either.
      if (process.pid === undefined) ended(started, null, null);
    });
    // It can be told nothing any more, and nobody hears it.
    process.on('disconnect', () => process.kill('SIGKILL'));
    process.on('exit', (code, signal) => ended(started, code, signal));
    watch ??= setInterval(lookAfter, silenceMs / 4).unref();
    process.channel?.unref();
    process.unref();
  }

  /** Ends a process that hangs; its orders are begun again like those of one that died. */
  function lookAfter(): void {
    if (!child || open.size === 0) return;
    if (performance.now() - child.heardAt < silenceMs) {
      if (child.ready) child.process.send({ order: 'ping' } satisfies FetchOrder);
      return;
    }
    log.warn({ pid: child.process.pid }, 'the fetching process hangs and is ended');
    child.process.kill('SIGKILL');
  }

  function ended(gone: Child, code: number | null, signal: string | null): void {
    if (child !== gone) return;
    child = undefined;
    restUntil = performance.now() + REST_MS;
    clearInterval(watch);
    watch = undefined;
    waiting = [];
    open.clear();
    inspections.clear();
    if (closed) return;
    log.warn({ code, signal }, 'the fetching process died');
    hearing?.lost();
  }

  function hear(word: OrderWord): void {
    const { id } = word;
    const isOver =
      word.word === 'settled' ||
      word.word === 'failed' ||
      word.word === 'stopped' ||
      word.word === 'text' ||
      (word.word === 'facts' && inspections.delete(id));
    if (isOver) open.delete(id);
    if (open.size === 0) sleepSoon();
    hearing?.word(word);
  }

  function sleepSoon(): void {
    clearTimeout(idle);
    idle = setTimeout(() => {
      const ending = child;
      child = undefined;
      ending?.process.kill('SIGKILL');
    }, IDLE_MS).unref();
  }

  function wakeUp(): void {
    if (child || closed) return;
    const wait = restUntil - performance.now();
    if (wait <= 0) return start();
    rest ??= setTimeout(() => {
      rest = undefined;
      wakeUp();
    }, wait).unref();
  }

  return {
    attend(listener) {
      hearing = listener;
    },
    send(order) {
      if (closed) return;
      clearTimeout(idle);
      // It had nothing to say as long as there was nothing to do.
      if (child && open.size === 0) child.heardAt = performance.now();
      if (order.order === 'inspect') inspections.add(order.id);
      if (order.order === 'inspect' || order.order === 'read' || order.order === 'fetch') open.add(order.id);
      else if (open.size === 0) sleepSoon();
      if (child?.ready) return void child.process.send(order);
      waiting.push(order);
      wakeUp();
    },
    async close() {
      closed = true;
      clearInterval(watch);
      clearTimeout(idle);
      clearTimeout(rest);
      const ending = child?.process;
      if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
      const ended = new Promise<void>((resolve) => void ending.once('exit', () => resolve()));
      // Nothing else may keep this process alive until the other has ended.
      ending.ref();
      ending.kill('SIGKILL');
      await ended;
    },
  };
}
