import { spawn, type ChildProcess } from 'node:child_process';
import { constants } from 'node:os';
import type { Log } from '../foundation/log.ts';
import { PLACE, type Environment, type ServerMessage, type SupervisorMessage } from './messages.ts';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
/** A process that ran for this long is replaced at once. */
const STEADY_MS = 60_000;

/** Codes of processes that SIGTERM or SIGINT ended. */
const STOPPED = new Set([143, 130]);

interface Server {
  readonly number: number;
  readonly child: ChildProcess;
  readonly startedAt: number;
  isReady: boolean;
}

/**
 * Runs several server processes that listen on the same port, replaces those that end, and lets exactly one of them, the
 * leader, run the background work. It doesn't handle requests itself, so it is small, and cannot fail because of one.
 * Resolves with the exit code once all of them have ended: after a signal, or because the first one could not start.
 */
export function supervise({
  count,
  environment,
  log,
  stopped,
}: {
  count: number;
  environment: Environment;
  log: Log;
  /** Resolves when the server has to stop. */
  stopped: Promise<void>;
}): Promise<number> {
  const servers = new Map<number, Server>();
  const pauses = new Map<number, number>();
  let port: number | undefined;
  let leader: Server | undefined;
  let isStopping = false;
  let isDistrusted = false;
  let exitCode = 0;
  const { promise: over, resolve: end } = Promise.withResolvers<number>();

  const tell = (server: Server | undefined, message: SupervisorMessage): void => {
    if (server?.child.connected) server.child.send(message, () => {});
  };

  function elect(): void {
    leader = [...servers.values()].find(({ isReady }) => isReady);
    tell(leader, { type: 'lead' });
  }

  function start(number: number): void {
    const isFirst = port === undefined;
    const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
      env: {
        ...environment,
        ...(isFirst ? {} : { PORT: String(port) }),
        [PLACE]: JSON.stringify({ number, isFirst }),
      },
    });
    const server: Server = { number, child, startedAt: performance.now(), isReady: false };
    servers.set(number, server);
    child.on('message', (message) => hear(server, message as ServerMessage));
    child.once('exit', (code, signal) => ended(server, code, signal));
    // The process could not be started: the machine may have too many.
    child.once('error', (error) => {
      log.error({ err: error, process: number }, 'could not start a server process');
      if (child.pid === undefined) ended(server, 1, null);
    });
  }

  function hear(server: Server, message: ServerMessage): void {
    if (message.type === 'wake') tell(leader, { type: 'wake' });
    else if (message.type === 'write-lost') distrust();
    else if (message.type === 'told') tellOthers(server, message);
    else begin(server, message.port);
  }

  function begin(server: Server, itsPort: number): void {
    server.isReady = true;
    if (isDistrusted) tell(server, { type: 'distrust' });
    if (!leader) elect();
    if (port !== undefined) {
      // Until now it wasn't told what others committed.
      tell(server, { type: 'missed' });
      return;
    }
    port = itsPort;
    for (let number = 2; number <= count && !isStopping; number++) start(number);
  }

  function tellOthers(server: Server | undefined, message: SupervisorMessage): void {
    for (const other of servers.values()) if (other !== server && other.isReady) tell(other, message);
  }

  /** A disk reports a lost write only once, to one process or to several. */
  function distrust(): void {
    isDistrusted = true;
    for (const server of servers.values()) tell(server, { type: 'distrust' });
  }

  function ended(server: Server, code: number | null, signal: NodeJS.Signals | null): void {
    const { number, isReady, startedAt } = server;
    servers.delete(number);
    // Without the first one, there is nothing to keep running; it has explained why.
    if (port === undefined && !isReady) isStopping = true;
    if (isStopping) {
      const itsCode = code ?? 128 + constants.signals[signal!];
      // A process that had not started completely ends with the signal that stops it.
      if (port === undefined || !STOPPED.has(itsCode)) exitCode ||= itsCode;
      if (servers.size === 0) end(exitCode);
      return;
    }
    if (leader === server) elect();
    if (code !== 0) tellOthers(undefined, { type: 'missed' });
    if (isDistrusted) {
      // A new process would not notice that the database has lost a write.
      log.error({ process: number, code, signal }, 'a server process has ended; restart the server');
      if (servers.size === 0) end(1);
      return;
    }
    const isSteady = performance.now() - startedAt >= STEADY_MS;
    const pause = isSteady ? 0 : (pauses.get(number) ?? 0);
    pauses.set(number, Math.min(Math.max(2 * pause, FIRST_PAUSE_MS), LONGEST_PAUSE_MS));
    const level = code === 0 ? 'info' : 'error';
    log[level]({ process: number, code, signal, pause }, 'a server process has ended, starting another one');
    setTimeout(() => isStopping || start(number), pause);
  }

  void stopped.then(() => {
    isStopping = true;
    if (servers.size === 0) end(exitCode);
    for (const { child } of servers.values()) child.kill('SIGTERM');
  });
  // After a second signal, nobody waits for running requests any more.
  process.on('exit', () => {
    for (const { child } of servers.values()) child.kill('SIGKILL');
  });
  start(1);
  return over;
}
