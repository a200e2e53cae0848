import type { AddressInfo } from 'node:net';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isApiFailure } from '@bowerbird/contract';
import { openApp, type App } from './app.ts';
import { CommandMistake, type Say } from './command.ts';
import { awaitDatabase } from './foundation/database/index.ts';
import { errorText, type Config } from './foundation/index.ts';
import { becomeOnlyServer } from './single-server.ts';
import { stopSignal } from './stop-signal.ts';

const WEB = join(import.meta.dirname, '../../web');
const BUILT = join(WEB, 'build');
/** Time for proxies to notice that the server is about to stop. */
const NOTICE_MS = 1_000;
/** Connections stalled for this long while the server stops are cut. */
const STANDING_MS = 3_000;

/** Runs the server until a signal stops it. */
export async function serve(
  config: Config,
  { api, dev, say }: { api: boolean; dev: boolean; say: Say },
): Promise<void> {
  if (!api && !dev && !existsSync(BUILT))
    throw new CommandMistake(
      'The web pages haven’t been built. Run `npm start` to build and serve them, or `serve --api` to run without them.',
    );
  const letGo = becomeOnlyServer(config);
  const app = await openApp(config, api ? {} : { pages: dev ? { sources: WEB } : { built: BUILT } });
  try {
    await awaitDatabase(() => createOperator(app), app);
    await listen(app);
  } catch (error) {
    await app.close();
    throw error;
  }
  app.start();
  // Listen for signals before announcing readiness: the signal may follow at once.
  const stopped = stopSignal();
  const site = config.SITE_URL ?? `http://localhost:${(app.http.server.address() as AddressInfo).port}`;
  say(`Bowerbird is ready at ${site}`);
  const token = await awaitDatabase(() => app.accounts.setUpToken(), app);
  if (token !== undefined) say(`Create the administrator account at ${site}/setup/${token}`);
  await stopped;
  await stop(app);
  letGo();
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

async function listen(app: App): Promise<void> {
  const { PORT: port, HOST: host } = app.config;
  const { log } = app.http;
  const { level } = log;
  // Fastify would log every address of the machine; one line is enough.
  log.level = 'warn';
  try {
    await app.http.listen({ port, host });
    log.level = level;
  } catch (error) {
    const { code } = error as { code?: unknown };
    if (code === 'EADDRINUSE')
      throw new CommandMistake(`Port ${port} is already in use. Choose another one with PORT.`);
    if (code === 'EACCES')
      throw new CommandMistake(`This user isn’t allowed to use port ${port}. Choose another one with PORT.`);
    if (code === 'EADDRNOTAVAIL')
      throw new CommandMistake(`${host} isn’t an address of this machine. Choose another one with HOST.`);
    throw error;
  }
}

/**
 * Stops gracefully. For a moment the server keeps responding, closing each connection after its response and reporting
 * that it is not ready, so that proxies switch away and no request is lost on a closing connection. Then it accepts
 * nothing new, lets running requests finish, and closes.
 */
async function stop(app: App): Promise<void> {
  const { server, connections } = app.http;
  const patienceMs = app.config.STOP_SECONDS * 1000;
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
