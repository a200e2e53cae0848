import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const UP = join(import.meta.dirname, '../../tools/services/postgres-up.sh');

/** A PostgreSQL server for one test, which can stop it at any time. */
export interface OwnPostgres extends AsyncDisposable {
  readonly url: string;
  start(): Promise<void>;
  /** Stops it like a crash would: connections break, and new ones are refused. */
  crash(): Promise<void>;
}

export async function ownPostgres(): Promise<OwnPostgres> {
  const parent = await mkdtemp(join(tmpdir(), 'bowerbird-postgres-'));
  // PostgreSQL refuses to run as root, and its own user needs access to the folder.
  await chmod(parent, 0o711);
  const folder = join(parent, 'postgres');
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  const env = {
    ...process.env,
    PATH: `${process.env['PATH']}:/usr/sbin:/sbin`,
    POSTGRES_FOLDER: folder,
    POSTGRES_PORT: String(port),
  };
  let url = '';
  const postgres: OwnPostgres = {
    get url() {
      return url;
    },
    async start() {
      url = (await run('bash', [UP], { env })).stdout.trim().split('\n').at(-1)!;
    },
    async crash() {
      const ctl = `"$(ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1)/pg_ctl" -D "${folder}/data" stop -m immediate -w`;
      const isRoot = process.getuid?.() === 0;
      await (isRoot
        ? run('runuser', ['-u', 'postgres', '--', 'bash', '-c', ctl], { env, cwd: folder })
        : run('bash', ['-c', ctl], { env, cwd: folder }));
    },
    async [Symbol.asyncDispose]() {
      await postgres.crash().catch(() => {});
      await rm(parent, { recursive: true, force: true });
    },
  };
  await postgres.start();
  return postgres;
}
