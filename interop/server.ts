import { spawn, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A person with an account on the server. */
export interface Person {
  readonly email: string;
  readonly password: string;
}

/** The product as a separate process, with a new data folder. */
export interface Server extends AsyncDisposable {
  readonly origin: string;
  readonly port: number;
  /** A folder that is deleted with the server. */
  readonly folder: string;
  readonly people: readonly [Person, Person];
}

const MAIN = join(import.meta.dirname, '../server/src/main.ts');
const SHORT_LIVES = join(import.meta.dirname, 'short-lives.ts');
const PEOPLE = [
  { email: 'ann@example.org', password: 'a bower of blue things' },
  { email: 'bob@example.org', password: 'feathers, shells and berries' },
] as const;

export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

export async function startServer(): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-interop-'));
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const env = {
    PATH: process.env['PATH'],
    DATA_DIR: join(folder, 'data'),
    PORT: String(port),
    HOST: '127.0.0.1',
    SITE_URL: origin,
    LOG_LEVEL: process.env['INTEROP_LOG'] ?? 'error',
    FETCH_ALLOW: '127.0.0.0/8',
  };
  const start = (args: string[], stdio: StdioOptions): ChildProcess =>
    spawn(process.execPath, args, { env, stdio });
  for (const { email, password } of PEOPLE) {
    const child = start(
      [MAIN, 'user', 'add', email, '--password', password],
      ['ignore', 'ignore', 'inherit'],
    );
    const [code] = (await once(child, 'exit')) as [number];
    if (code !== 0) throw new Error(`No account for ${email}`);
  }
  const server = start(['--import', SHORT_LIVES, MAIN, 'serve', '--api'], ['ignore', 'pipe', 'inherit']);
  const lines = createInterface({ input: server.stdout! });
  await new Promise<void>((resolve, reject) => {
    lines.on('line', (line) => {
      if (line.includes('is ready')) resolve();
      if (process.env['INTEROP_LOG']) process.stderr.write(`${line}\n`);
    });
    server.once('exit', () => reject(new Error('The server ended before it was ready')));
  });
  return {
    origin,
    port,
    folder,
    people: PEOPLE,
    async [Symbol.asyncDispose]() {
      const isOver = server.exitCode === null ? once(server, 'exit') : undefined;
      server.kill('SIGTERM');
      await isOver;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
