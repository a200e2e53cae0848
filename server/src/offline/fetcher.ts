import { fork, type ChildProcess } from 'node:child_process';
import { FETCHER_FLAGS, type FetcherSettings, type FetchCommand, type FetchEvent } from '@bowerbird/contract';
import { helperEnvironment, type Log } from '../foundation/index.ts';

/** An event that belongs to a command. */
export type CommandEvent = Exclude<FetchEvent, { type: 'ready' | 'pong' }>;

/**
 * Manages the child process that connects to other sites and peers. It is started on demand and restarted
 * after a crash.
 */
export interface Fetcher {
  /** Sends a command; if the process is still starting, as soon as it is ready. */
  send(command: FetchCommand): void;
  /** Sets the handlers of events and of a crash, which loses every running command. */
  subscribe(handlers: FetchEventHandlers): void;
  close(): Promise<void>;
}

export interface FetchEventHandlers {
  onEvent(event: CommandEvent): void;
  onCrash(): void;
}

export interface FetcherOptions {
  /** The worker's main file. */
  readonly program: string;
  readonly settings: FetcherSettings;
  /** The environment variable PATH of the process. */
  readonly path: string;
  readonly log: Log;
  /** A process with running commands that sends nothing for this long, not even a `pong`, counts as hung. */
  readonly silenceMs?: number;
}

const SILENCE_MS = 60_000;
/** An idle process is ended after this long to free its memory. */
const IDLE_MS = 180_000;
/** Delay before a restart, since a process may crash as soon as it is up. */
const RESTART_DELAY_MS = 2_000;

interface Child {
  readonly process: ChildProcess;
  ready: boolean;
  lastMessageAt: number;
}

export function createFetcher({
  program,
  settings,
  path,
  log,
  silenceMs = SILENCE_MS,
}: FetcherOptions): Fetcher {
  let child: Child | undefined;
  let handlers: FetchEventHandlers | undefined;
  let queued: FetchCommand[] = [];
  const open = new Set<string>();
  /** Ids of the open commands that end with a `facts` event. */
  const inspections = new Set<string>();
  let idle: NodeJS.Timeout | undefined;
  let watch: NodeJS.Timeout | undefined;
  let restartAt = 0;
  let restart: NodeJS.Timeout | undefined;
  let closed = false;

  function start(): void {
    const process = fork(program, ['fetch'], {
      env: helperEnvironment(path, { FETCHER: JSON.stringify(settings) }),
      execArgv: [...FETCHER_FLAGS],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const started: Child = { process, ready: false, lastMessageAt: performance.now() };
    child = started;
    process.on('message', (event: FetchEvent) => {
      started.lastMessageAt = performance.now();
      if (event.type === 'pong') return;
      if (event.type !== 'ready') return onMessage(event);
      started.ready = true;
      for (const command of queued.splice(0)) process.send(command);
    });
    process.on('error', (error) => {
      log.warn({ err: error }, 'could not start or reach the fetcher process');
      // A process that was never spawned emits no exit event.
      if (process.pid === undefined) ended(started, null, null);
    });
    // Without a channel the process is useless.
    process.on('disconnect', () => process.kill('SIGKILL'));
    process.on('exit', (code, signal) => ended(started, code, signal));
    watch ??= setInterval(checkAlive, silenceMs / 4).unref();
    process.channel?.unref();
    process.unref();
  }

  /** Kills a hung process; its commands are restarted as after a crash. */
  function checkAlive(): void {
    if (!child || open.size === 0) return;
    if (performance.now() - child.lastMessageAt < silenceMs) {
      if (child.ready) child.process.send({ type: 'ping' } satisfies FetchCommand);
      return;
    }
    log.warn({ pid: child.process.pid }, 'fetcher process is unresponsive; killing it');
    child.process.kill('SIGKILL');
  }

  function ended(exited: Child, code: number | null, signal: string | null): void {
    if (child !== exited) return;
    child = undefined;
    restartAt = performance.now() + RESTART_DELAY_MS;
    clearInterval(watch);
    watch = undefined;
    queued = [];
    open.clear();
    inspections.clear();
    if (closed) return;
    log.warn({ code, signal }, 'fetcher process exited unexpectedly');
    handlers?.onCrash();
  }

  function onMessage(event: CommandEvent): void {
    const { id } = event;
    const isOver =
      event.type === 'settled' ||
      event.type === 'failed' ||
      event.type === 'stopped' ||
      event.type === 'text' ||
      (event.type === 'facts' && inspections.delete(id));
    if (isOver) open.delete(id);
    if (open.size === 0) stopWhenIdle();
    handlers?.onEvent(event);
  }

  function stopWhenIdle(): void {
    clearTimeout(idle);
    idle = setTimeout(() => {
      const ending = child;
      child = undefined;
      ending?.process.kill('SIGKILL');
    }, IDLE_MS).unref();
  }

  function ensureStarted(): void {
    if (child || closed) return;
    const wait = restartAt - performance.now();
    if (wait <= 0) return start();
    restart ??= setTimeout(() => {
      restart = undefined;
      ensureStarted();
    }, wait).unref();
  }

  return {
    subscribe(newHandlers) {
      handlers = newHandlers;
    },
    send(command) {
      if (closed) return;
      clearTimeout(idle);
      // An idle process sends nothing, so its silence did not count.
      if (child && open.size === 0) child.lastMessageAt = performance.now();
      if (command.type === 'inspect') inspections.add(command.id);
      if (command.type === 'inspect' || command.type === 'read' || command.type === 'fetch')
        open.add(command.id);
      else if (open.size === 0) stopWhenIdle();
      if (child?.ready) return void child.process.send(command);
      queued.push(command);
      ensureStarted();
    },
    async close() {
      closed = true;
      clearInterval(watch);
      clearTimeout(idle);
      clearTimeout(restart);
      const ending = child?.process;
      if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
      const ended = new Promise<void>((resolve) => void ending.once('exit', () => resolve()));
      // Keeps this process alive until the child has exited, even if nothing else does.
      ending.ref();
      ending.kill('SIGKILL');
      await ended;
    },
  };
}
