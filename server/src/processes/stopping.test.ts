import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { childrenOf, processEnvironment, serverGroup, serverProgram } from '../../testing/index.ts';
import { processCount, type Machine } from './process-count.ts';

async function run(environment: Record<string, string>): Promise<{ code: number | null; err: string }> {
  const child = spawn(process.execPath, [serverProgram, 'serve', '--api'], {
    env: { ...processEnvironment, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [err, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { err, code: code as number | null };
}

test('a stop lets running requests finish in all processes, and ends with code 0', async () => {
  await using group = await serverGroup(2);
  const slow = [];
  for (const number of [1, 2]) {
    const { send } = await group.connect(number);
    slow.push(send(`${group.origin}/healthz`, { method: 'GET', headers: {} }));
  }
  const body = JSON.stringify({ username: 'nobody@example.org', password: 'not the password' });
  const running = Array.from({ length: 6 }, () =>
    request(`${group.origin}/v1/auth/signin`, {
      method: 'POST',
      headers: { 'content-length': Buffer.byteLength(body), expect: '100-continue' },
    }),
  );
  await Promise.all(
    running.map((asked) => {
      asked.flushHeaders();
      return once(asked, 'continue');
    }),
  );
  process.kill(group.supervisor.pid, 'SIGTERM');
  const answers = running.map(async (asked) => {
    const [reply] = (await once(asked, 'response')) as [IncomingMessage];
    return reply.statusCode;
  });
  for (const asked of running) asked.end(body);
  expect(await Promise.all(answers)).toEqual(running.map(() => 400));
  await Promise.all(slow);
  expect(await group.supervisor.ended()).toBe(0);
  expect(group.pids().size).toBe(0);
}, 300_000);

test('a process that is stopped alone finishes its requests, and another one takes its place', async () => {
  await using group = await serverGroup(2);
  const pid = group.pids().get(2)!;
  const { send } = await group.connect(2);
  process.kill(pid, 'SIGTERM');
  const reply = await send(`${group.origin}/healthz`, { method: 'GET', headers: {} });
  expect(reply.status).toBe(200);
  await group.whole([pid]);
  expect(group.logged.find(({ msg }) => String(msg).includes('starting another one'))).toMatchObject({
    process: 2,
    code: 0,
  });
}, 300_000);

test('a folder or a port in use is explained once, and no process is left', async () => {
  await using group = await serverGroup(2);
  const { port } = new URL(group.origin);
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-group-'));
  const second = { ...group.environment, PORT: '0' };
  const inUse = { code: 2, err: expect.stringMatching(/^Another server is already using \S+\. .*\n$/) };
  expect(await run(second)).toEqual(inUse);
  expect(await run({ ...second, PROCESSES: '1' })).toEqual(inUse);
  const elsewhere = { ...group.environment, DATA_DIR: folder, PORT: port };
  const taken = { code: 2, err: `Port ${port} is already in use. Choose another one with PORT.\n` };
  expect(await run(elsewhere)).toEqual(taken);
  expect(await run({ ...elsewhere, PROCESSES: '1' })).toEqual(taken);
  await rm(folder, { recursive: true });
}, 300_000);

test('processes that still wait for the database end if their supervisor is killed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-group-'));
  const environment = { DATA_DIR: folder, DATABASE_URL: 'postgres://127.0.0.1:9/none', PROCESSES: '2' };
  const supervisor = spawn(process.execPath, [serverProgram, 'serve', '--api'], {
    env: { ...processEnvironment, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: supervisor.stdout }))
    if (line.includes('database is unavailable')) break;
  const [waiting] = childrenOf(supervisor.pid!);
  supervisor.kill('SIGKILL');
  const isRunning = (): boolean => existsSync(`/proc/${waiting}/exe`);
  try {
    await expect.poll(isRunning).toBe(false);
  } finally {
    if (isRunning()) process.kill(waiting!, 'SIGKILL');
    await rm(folder, { recursive: true });
  }
}, 300_000);

test('the port that is set is the one that all processes use', async () => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  await using group = await serverGroup(3, { PORT: String(port) });
  expect(group.origin).toBe(`http://127.0.0.1:${port}`);
}, 300_000);

test('small machines run one process by default, large ones up to four, and a setting decides', () => {
  const GIB = 2 ** 30;
  const unset = { PROCESSES: undefined, DATABASE_URL: undefined, STORAGE_URL: undefined };
  const on = (cores: number, memory: number, platform: Machine['platform'] = 'linux'): number =>
    processCount(unset, { cores, memory: memory * GIB, platform });
  expect([on(1, 1), on(2, 16), on(3, 16), on(4, 2), on(4, 8), on(8, 8), on(8, 4), on(64, 256)]).toEqual([
    1, 1, 1, 1, 2, 4, 2, 4,
  ]);
  expect(on(64, 256, 'darwin')).toBe(1);
  const large: Machine = { cores: 64, memory: 256 * GIB, platform: 'linux' };
  const postgres = { ...unset, DATABASE_URL: 'postgres://127.0.0.1/drive' };
  expect(processCount(postgres, large)).toBe(1);
  expect(processCount({ ...postgres, PROCESSES: 3 }, large)).toBe(3);
  expect(processCount({ ...unset, PROCESSES: 2 }, { ...large, cores: 1 })).toBe(2);
  expect(processCount({ ...unset, PROCESSES: 2, STORAGE_URL: 'memory:' }, large)).toBe(1);
});
