import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

// The real services that tests use, on loopback. The scripts beside this file start them.

export type ServiceName = 'postgres' | 's3';

/** The variable that contains a service's address for tests. */
export const serviceVariables: Record<ServiceName, string> = {
  postgres: 'TEST_DATABASE_URL',
  s3: 'TEST_S3_URL',
};

export interface Services {
  readonly environment: Record<string, string>;
  stop(): Promise<void>;
}

const script = (name: string) => join(import.meta.dirname, 'services', name);
const sharedFolder = join(tmpdir(), 'bowerbird-services');
const starting: Record<ServiceName, string> = {
  postgres: script('postgres-up.sh'),
  s3: script('radosgw-up.sh'),
};

/**
 * Starts both services in their own folder and on their own ports, for one test run. Services named in the environment
 * are used as they are.
 */
export async function startOwnServices(): Promise<Services> {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-test-'));
  // PostgreSQL refuses to run as root, and its user needs access to the folder.
  await chmod(folder, 0o711);
  const places = {
    POSTGRES_FOLDER: join(folder, 'postgres'),
    POSTGRES_PORT: await freePort(),
    RADOSGW_FOLDER: join(folder, 'radosgw'),
    RADOSGW_PORT: await freePort(),
    CEPH_MON_PORT: await freePort(),
  };
  const stop = async () => {
    await stopServices(folder);
    await rm(folder, { recursive: true, force: true });
  };
  // Both must have finished, successfully or not, before anything is deleted.
  const started = await Promise.allSettled([urlOf('postgres', places), urlOf('s3', places)]);
  const failure = started.find((result) => result.status === 'rejected');
  if (failure) {
    await stop();
    throw failure.reason;
  }
  const found = started.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  return { environment: Object.fromEntries(found), stop };
}

/**
 * Starts the services that aren't running yet in the folder shared by partial runs, and leaves them running for the
 * next one.
 */
export async function startSharedServices(names: readonly ServiceName[]): Promise<Record<string, string>> {
  return Object.fromEntries(await Promise.all(names.map((name) => urlOf(name, {}))));
}

async function urlOf(name: ServiceName, places: Record<string, string>): Promise<readonly [string, string]> {
  const variable = serviceVariables[name];
  const given = process.env[variable];
  if (given) return [variable, given];
  // Debian keeps the programs that start services out of some paths.
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin:/sbin`, ...places };
  const { stdout } = await promisify(execFile)('bash', [starting[name]], { env });
  return [variable, stdout.trim().split('\n').at(-1)!];
}

async function stopServices(folder: string): Promise<void> {
  const pids = [
    // SIGINT is PostgreSQL's fast shutdown, which doesn't wait for clients.
    ...pidsIn(join(folder, 'postgres', 'data', 'postmaster.pid'))
      .slice(0, 1)
      .map((pid) => [pid, 'SIGINT'] as const),
    ...pidsIn(join(folder, 'radosgw', 'pids')).map((pid) => [pid, 'SIGKILL'] as const),
  ];
  for (const [pid, signal] of pids) send(pid, signal);
  for (let waited = 0; waited < 10_000 && pids.some(([pid]) => send(pid, 0)); waited += 100) await sleep(100);
  for (const [pid] of pids) send(pid, 'SIGKILL');
}

function pidsIn(file: string): number[] {
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8').split('\n').map(Number).filter(Boolean);
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

async function freePort(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return String(typeof address === 'object' && address?.port);
}

if (import.meta.main) {
  if (process.argv[2] === 'stop') await stopServices(sharedFolder);
  else
    for (const entry of Object.entries(await startSharedServices(['postgres', 's3'])))
      console.log(entry.join('='));
}
