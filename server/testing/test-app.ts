import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { InjectOptions, LightMyRequestResponse } from 'fastify';
import { createPasswordHashing } from '../src/account/index.ts';
import { openApp, type App, type Edges } from '../src/app.ts';
import { createLog, readConfig, type Clock } from '../src/foundation/index.ts';
import type { Dialect } from '../src/foundation/database/index.ts';
import { withCaptcha } from './captcha.ts';
import { migratedPostgres, placeMigratedSqlite } from './databases.ts';
import { helperProgram } from './server-program.ts';
import { person, signUp, type Member, type Person } from './member.ts';

/** A clock that stands still until it is turned. */
export interface TurnableClock extends Clock {
  advance(milliseconds: number): void;
}

export function turnableClock(start: number = Date.UTC(2026, 10, 27, 12)): TurnableClock {
  let now = start;
  return {
    now: () => now,
    advance(milliseconds) {
      now += milliseconds;
    },
  };
}

export interface TestApp extends App, AsyncDisposable {
  /** All lines that were logged. */
  readonly logged: string[];
  /** A caller who is not signed in. */
  readonly visitor: Person;
  /** Sends a request like a program that gets itself captcha tokens; `http.inject` gets none. */
  send(request: InjectOptions): Promise<LightMyRequestResponse>;
  /** Creates the account name@example.org and returns its owner, who calls with a bearer token. */
  signUp(name: string): Promise<Member>;
}

/** Half of the processor time of tests would be spent on hashing the passwords of their members. */
const hashing = createPasswordHashing({ memoryCost: 64, timeCost: 1 });

interface Options extends Edges {
  readonly dialect?: Dialect;
  readonly environment?: Record<string, string>;
  /** The administrator's documents for clients. */
  readonly documents?: object;
}

/**
 * Opens the real product with its own database and folder; its jobs run when the test calls
 * `app.jobs.drain()`.
 */
export async function openTestApp(options: Options = {}): Promise<TestApp> {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-test-'));
  const postgres = options.dialect === 'postgres' ? await migratedPostgres() : undefined;
  if (!postgres) await placeMigratedSqlite(folder);
  const logged: string[] = [];
  const documents = join(folder, 'site.json');
  if (options.documents) await writeFile(documents, JSON.stringify(options.documents));
  const config = readConfig({
    DATA_DIR: folder,
    SITE_URL: 'http://drive.test',
    LOG_LEVEL: 'info',
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
    ...(options.documents ? { SITE_DOCUMENTS: documents } : {}),
    ...options.environment,
  });
  const app = await openApp(config, {
    log: createLog('info', { write: (line) => void logged.push(line) }),
    hashing,
    program: helperProgram,
    ...options,
  });
  const close = async (): Promise<void> => {
    await app.close();
    await postgres?.drop();
    await rm(folder, { recursive: true, force: true });
  };
  return {
    ...app,
    logged,
    visitor: person(app.http),
    send: withCaptcha(app.http),
    signUp: (name) => signUp(app.http, name),
    close,
    [Symbol.asyncDispose]: close,
  };
}
