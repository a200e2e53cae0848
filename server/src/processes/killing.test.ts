import { existsSync, readFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { accountApi, driveApi, taskApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  callTo,
  growForest,
  PASSWORD,
  serverGroup,
  type Connected,
  type RemoteCall,
  type ServerGroup,
} from '../../testing/index.ts';
import { openApp } from '../app.ts';
import { createLog, readConfig } from '../foundation/index.ts';

const signUp = async (call: RemoteCall): Promise<{ id: string; token: string }> => {
  const grant = await call(accountApi.signUp, {
    body: { email: 'ann@example.org', password: PASSWORD, name: 'Ann' },
  });
  return { id: grant.sub, token: grant.access_token! };
};

const makeFolder = (call: RemoteCall, name: string, token: string) =>
  call(driveApi.create, { body: { kind: 'drive#folder', name } }, token);

test(
  'each process that is killed under load is replaced; no acknowledged change is lost, and the others answer all requests',
  { timeout: 300_000 },
  async () => {
    await using group = await serverGroup(3);
    const { token } = await signUp(callTo(group.origin));
    const acknowledged: string[] = [];
    /** Changes one thing after the other through a connection to one process, until that is killed. */
    async function lane({ call }: Connected, label: string, isOver: () => boolean): Promise<string> {
      for (let made = 0; !isOver(); made++) {
        const name = `${label} ${made}`;
        try {
          await makeFolder(call, name, token);
        } catch (error) {
          return (error as NodeJS.ErrnoException).code ?? String(error);
        }
        acknowledged.push(name);
      }
      return 'answered';
    }

    for (const victim of [1, 2, 3]) {
      let isOver = false;
      // All are connected before one is killed.
      const connected = await Promise.all(
        [1, 1, 2, 2, 3, 3].map(async (number) => ({ number, connection: await group.connect(number) })),
      );
      const lanes = connected.map(async ({ number, connection }, at) => ({
        number,
        outcome: await lane(connection, `${victim} ${at}`, () => isOver),
      }));
      const before = acknowledged.length;
      await expect.poll(() => acknowledged.length - before, { timeout: 60_000 }).toBeGreaterThan(60);
      const pid = group.pids().get(victim)!;
      process.kill(pid, 'SIGKILL');
      const killedAt = acknowledged.length;
      await expect.poll(() => acknowledged.length - killedAt, { timeout: 60_000 }).toBeGreaterThan(60);
      isOver = true;
      for (const { number, outcome } of await Promise.all(lanes))
        expect([number, outcome]).toEqual([number, number === victim ? 'ECONNRESET' : 'answered']);
      await group.whole([pid]);
    }

    const held = new Set<string>();
    let page = '';
    do {
      const { files, next_page_token: next } = await callTo(group.origin)(
        driveApi.list,
        { query: { limit: 1000, page_token: page } },
        token,
      );
      for (const { name } of files) held.add(name);
      page = next;
    } while (page);
    expect(acknowledged.filter((name) => !held.has(name))).toEqual([]);
    expect(group.logged.filter(({ status }) => Number(status) >= 500)).toEqual([]);
  },
);

/** Names of the processes that leased jobs, as the database has seen them. */
function watchLeases(group: ServerGroup): Disposable & { pids(): Set<number> } {
  const database = new DatabaseSync(join(group.environment['DATA_DIR']!, 'bowerbird.sqlite'), {
    timeout: 30_000,
  });
  database.exec(`create table lease_seen (owner text primary key);
    create trigger lease_seen after update of lease_owner on job when new.lease_owner is not null
    begin insert or ignore into lease_seen values (new.lease_owner); end`);
  const seen = database.prepare('select owner from lease_seen');
  return {
    pids: () => new Set(seen.all().map(({ owner }) => Number(String(owner).split(' ')[1]))),
    [Symbol.dispose]: () => database.close(),
  };
}

/** Adds files to folders, by their number. */
async function growFiles(
  { environment }: ServerGroup,
  account: string,
  counts: Record<string, number>,
): Promise<void> {
  const app = await openApp(readConfig(environment), { log: createLog('silent') });
  const files = Object.entries(counts).flatMap(([parent, count]) =>
    Array.from({ length: count }, (_, at) => ({
      id: app.ids.next(),
      parent,
      kind: 1 as const,
      name: `${at}.txt`,
    })),
  );
  await growForest(app, account, files);
  await app.close();
}

test(
  'exactly one process runs jobs, whichever adds them; when it is killed in the middle of one, another takes over at once',
  { timeout: 300_000 },
  async () => {
    await using group = await serverGroup(3);
    using leases = watchLeases(group);
    const [one, two, three] = await Promise.all([1, 2, 3].map((number) => group.connect(number)));
    const { id: account, token } = await signUp(two!.call);
    const leader = group.pids().get(1)!;

    const few = (await makeFolder(two!.call, 'few', token)).file!.id;
    const many = (await makeFolder(two!.call, 'many', token)).file!.id;
    await growFiles(group, account, { [few]: 3000, [many]: 20_000 });
    const copy = (call: RemoteCall, id: string) =>
      call(driveApi.copy, { body: { ids: [id], to: { parent_id: '' } } }, token);
    const phaseOf = async (call: RemoteCall, id: string): Promise<string> =>
      (await call(taskApi.get, { params: { id } }, token)).phase;
    for (const { call } of [one!, two!, three!]) {
      const { task_id: task } = await copy(call, few);
      await expect.poll(() => phaseOf(call, task), { timeout: 30_000 }).toBe('PHASE_TYPE_COMPLETE');
    }
    expect([...leases.pids()]).toEqual([leader]);

    const { task_id: task } = await copy(two!.call, many);
    await expect.poll(() => phaseOf(two!.call, task), { interval: 5 }).toBe('PHASE_TYPE_RUNNING');
    process.kill(leader, 'SIGKILL');
    expect(await phaseOf(two!.call, task)).not.toBe('PHASE_TYPE_COMPLETE');
    await expect.poll(() => phaseOf(three!.call, task), { timeout: 120_000 }).toBe('PHASE_TYPE_COMPLETE');
    const successor = [...leases.pids()].filter((pid) => pid !== leader);
    expect(successor).toHaveLength(1);
    expect([group.pids().get(2), group.pids().get(3)]).toContain(successor[0]);
    const leading = group.logged.filter(({ msg }) => String(msg).includes('runs the background work'));
    expect(leading).toHaveLength(2);

    await group.whole([leader]);
    const { task_id: later } = await copy((await group.connect(1)).call, few);
    await expect.poll(() => phaseOf(two!.call, later), { timeout: 30_000 }).toBe('PHASE_TYPE_COMPLETE');
    expect([...leases.pids()].filter((pid) => pid !== leader)).toEqual(successor);
  },
);

/** True if a process still runs. One that has ended may remain in the table of processes until its new parent looks. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const status = `/proc/${pid}/status`;
  return !existsSync(status) || !/^State:\s+Z/m.test(readFileSync(status, 'utf8'));
}

test('the supervisor’s servers finish their requests and end when it is killed, and then another one can start', async () => {
  await using group = await serverGroup(2);
  const [one, two] = await Promise.all([group.connect(1), group.connect(2)]);
  const { token } = await signUp(one.call);
  const left = [...group.pids().values()];
  process.kill(group.supervisor.pid, 'SIGKILL');
  await group.supervisor.ended();
  // Their connections are still answered for a moment.
  await makeFolder(two.call, 'last', token);
  await using next = await serverGroup(2, {}, { folder: group.environment['DATA_DIR']! });
  for (const pid of left) expect(isRunning(pid)).toBe(false);
  const { files } = await callTo(next.origin)(driveApi.list, { query: { limit: 100 } }, token);
  expect(files.map(({ name }) => name)).toEqual(['last']);
}, 300_000);

test('a write that the disk lost in one process makes the database unavailable in all, and no new process forgets that', async () => {
  const program = join(import.meta.dirname, '../../testing/programs/lossy-server.ts');
  await using group = await serverGroup(2, {}, { program });
  const [one, two] = await Promise.all([group.connect(1), group.connect(2)]);
  const { token } = await signUp(one.call);
  let made = 0;
  const change = ({ call }: Connected): Promise<unknown> =>
    makeFolder(call, `folder ${made++}`, token).catch((error: Error) => error.message);
  expect(await change(two)).toMatchObject({ file: { name: 'folder 0' } });
  // A request may still overtake the signal.
  process.kill(group.pids().get(2)!, 'SIGUSR2');
  for (const connected of [two, one])
    await expect.poll(() => change(connected)).toEqual(expect.stringContaining('unavailable'));
  for (const number of [1, 2]) process.kill(group.pids().get(number)!, 'SIGKILL');
  expect(await group.supervisor.ended()).toBe(1);
}, 300_000);
