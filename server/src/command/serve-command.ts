import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isApiFailure } from '@bowerbird/contract';
import type { FastifyListenOptions } from 'fastify';
import { openApp, type App } from '../app.ts';
import { CommandMistake } from './command-mistake.ts';
import type { Say } from './command.ts';
import { awaitDatabase } from '../foundation/database/index.ts';
import { createLog, errorText, type Config } from '../foundation/index.ts';
import type { Group } from '../processes/group.ts';
import { becomeOnlyServer, joinServers } from './single-server.ts';
import { stopSignal } from '../processes/stop-signal.ts';

const WEB = join(import.meta.dirname, '../../../web');
const BUILT = join(WEB, 'build');
/** Time for proxies to notice that the server is about to stop. */
const NOTICE_MS = 1_000;
/** Connections stalled for this long while the server stops are cut. */
const STANDING_MS = 3_000;
/** A process without its supervisor makes room for the next one, which waits for it for a while. */
const ABANDONED_MS = 3_000;

/** Runs the server, or one of its processes, until a signal stops it. */
export async function serve(
  config: Config,
  { api, dev, group, say }: { api: boolean; dev: boolean; group: Group | undefined; say: Say },
): Promise<void> {
  if (!api && !dev && !existsSync(BUILT))
    throw new CommandMistake(
      'The web pages haven’t been built. Run `npm start` to build and serve them, or `serve --api` to run without them.',
    );
  const lock = group ? joinServers(config) : becomeOnlyServer(config);
  let isServing = false;
  // While it waits for the database, it has nothing to finish.
  void group?.abandoned.then(() => isServing || process.kill(process.pid, 'SIGKILL'));
  const app = await openApp(config, {
    ...(api ? {} : { pages: dev ? { sources: WEB } : { built: BUILT } }),
    ...(group && {
      group,
      log: createLog(config.LOG_LEVEL, undefined, { process: group.number }),
    }),
  });
  try {
    await awaitDatabase(() => createOperator(app), app);
    await listen(app, group);
  } catch (error) {
    await app.close();
    throw error;
  }
  isServing = true;
  // Listen for signals before announcing readiness: the signal may follow at once.
  const stopped = stopSignal();
  if (group)
    group.ready(portOf(app), {
      lead: () => lead(app),
      wake: () => app.jobs.wake(),
      distrust: () => app.database.distrust(),
      told: ({ texts }) => app.domains.live.heard(texts),
      missed: () => app.domains.live.live.missed(),
    });
  else app.start();
  if (!group || group.isFirst) await announce(app, say);
  const isAbandoned = await Promise.race([
    stopped.then(() => false),
    ...(group ? [group.abandoned.then(() => true)] : []),
  ]);
  await stop(app, isAbandoned ? ABANDONED_MS : config.STOP_SECONDS * 1000);
  lock.release();
}

const portOf = (app: App): number => (app.http.server.address() as AddressInfo).port;

/** Makes this process the one that runs the background work. */
function lead(app: App): void {
  app.log.info('this process runs the background work from now on');
  app.start();
}

async function announce(app: App, say: Say): Promise<void> {
  const site = app.config.SITE_URL ?? `http://localhost:${portOf(app)}`;
  say(`Bowerbird is ready at ${site}`);
  const token = await awaitDatabase(() => app.accounts.setUpToken(), app);
  if (token !== undefined) say(`Create the administrator account at ${site}/setup/${token}`);
}

async function createOperator(app: App): Promise<void> {
  try {
    await app.accounts.ensureConfiguredOperator();
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    const { OPERATOR_EMAIL: email = '' } = app.config;
    const reason =
      error.id === 'email_taken'
        ? `A member already has this email address. Run \`npx bowerbird user operator ${email}\` to make them an administrator.`
        : errorText('en-US', error.id, error.facts);
    throw new CommandMistake(`The administrator account ${email} can’t be created. ${reason}`, {
      cause: error,
    });
  }
}

async function listen(app: App, group: Group | undefined): Promise<void> {
  const { PORT, HOST: host } = app.config;
  const { log } = app.http;
  const { level } = log;
  // Fastify would log every address of the machine; one line is enough.
  log.level = 'warn';
  try {
    const port = group?.isFirst ? await freePort(PORT, host) : PORT;
    const at: FastifyListenOptions & { reusePort: boolean } = { port, host, reusePort: !!group };
    await app.http.listen(at);
    log.level = level;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'EADDRINUSE')
      throw new CommandMistake(`Port ${PORT} is already in use. Choose another one with PORT.`);
    if (code === 'EACCES')
      throw new CommandMistake(`This user isn’t allowed to use port ${PORT}. Choose another one with PORT.`);
    if (code === 'EADDRNOTAVAIL')
      throw new CommandMistake(`${host} isn’t an address of this machine. Choose another one with HOST.`);
    throw error;
  }
}

/** Returns the port unless a server uses it. The system would let several installations of a user share one. */
async function freePort(port: number, host: string): Promise<number> {
  const probe = createServer().listen({ port, host });
  await once(probe, 'listening');
  const { port: free } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return free;
}

/**
 * Stops gracefully. For a moment the server keeps responding, closing each connection after its response and reporting
 * that it is not ready, so that proxies switch away and no request is lost on a closing connection. Then it accepts
 * nothing new, lets running requests finish, and closes.
 */
async function stop(app: App, patienceMs: number): Promise<void> {
  const { server, connections } = app.http;
  connections.drain();
  const cut = setTimeout(() => server.closeAllConnections(), patienceMs);
  await sleep(Math.min(NOTICE_MS, patienceMs / 4));
  // A connection that was busy when closing began would otherwise be kept alive for its next request.
  const letGo = setInterval(() => {
    server.closeIdleConnections();
    connections.cutStanding(STANDING_MS);
  }, 100);
  await app.close();
  clearInterval(letGo);
  clearTimeout(cut);
}
