import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { eachDatabase, freshPostgres, processEnvironment, serverProgram } from '../testing/index.ts';

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Separate installation on which commands run as processes. */
async function installation(dialect: 'sqlite' | 'postgres' = 'sqlite') {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-main-'));
  const postgres = dialect === 'postgres' ? await freshPostgres() : undefined;
  const environment = {
    ...processEnvironment,
    DATA_DIR: folder,
    PORT: '0',
    HOST: '127.0.0.1',
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
  };
  const children: ChildProcess[] = [];
  const start = (args: string[], extra: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [serverProgram, ...args], {
      env: { ...environment, ...extra },
      stdio: 'pipe',
    });
    children.push(child);
    return child;
  };
  return {
    folder,
    start,
    async run(args: string[], extra: Record<string, string> = {}): Promise<Ended> {
      const child = start(args, extra);
      const [out, err, code] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        new Promise<number | null>((resolve) => child.on('exit', resolve)),
      ]);
      return { code, out, err };
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill('SIGKILL');
      await postgres?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Waits for a line on standard output; returns its captured groups. */
function line(child: ChildProcess, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let seen = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      const found = pattern.exec(seen);
      if (found) resolve(found[1]!);
    });
    child.on('exit', () => reject(new Error(`The process ended after printing: ${seen}`)));
  });
}

const ended = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.on('exit', resolve));

eachDatabase((dialect) => {
  test('serve prints its address and how to become administrator, which works once', async () => {
    await using place = await installation(dialect);
    const server = place.start(['serve', '--api']);
    const setUp = line(server, /administrator account at \S+\/setup\/(\w+)/);
    const site = await line(server, /^Bowerbird is ready at (http:\/\/localhost:\d+)$/m);
    expect(await (await fetch(`${site}/readyz`)).json()).toMatchObject({ status: 'ready' });
    const body = JSON.stringify({
      setup_token: await setUp,
      email: 'olga@example.org',
      password: 'a bower of blue things',
    });
    const claim = () => fetch(`${site}/v1/auth/setup`, { method: 'POST', body });
    expect((await claim()).status).toBe(200);
    expect((await claim()).status).toBe(403);
    server.kill('SIGTERM');
    expect(await ended(server)).toBe(0);

    const again = place.start(['serve', '--api']);
    let said = '';
    again.stdout!.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await line(again, /ready at (\S+)/);
    await sleep(100);
    expect(said).not.toContain('/setup/');
  });
});

test('all invalid settings are listed at once, and nothing is started', async () => {
  await using place = await installation();
  const { code, err } = await place.run(['serve', '--api'], {
    PORT: 'x',
    SITE_URL: 'drive',
    OPERATOR_EMAIL: 'olga@example.org',
  });
  expect(code).toBe(2);
  expect(err).toContain('PORT must be a port');
  expect(err).toContain('SITE_URL must be a web address');
  expect(err).toContain('OPERATOR_EMAIL and OPERATOR_PASSWORD must be set together');
  expect(await readdir(place.folder)).toEqual([]);
});

test('an administrator with a guessable password is not created, and the server does not start', async () => {
  await using place = await installation();
  const operator = { OPERATOR_EMAIL: 'olga@example.org', OPERATOR_PASSWORD: 'password' };
  const { code, err } = await place.run(['serve', '--api'], operator);
  expect(code).toBe(2);
  expect(err).toContain(
    'The administrator account olga@example.org can’t be created. This password is too easy to guess',
  );
});

test('an unknown command or option is explained', async () => {
  await using place = await installation();
  expect(await place.run(['dance'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('Unknown command: dance'),
  });
  expect(await place.run(['user', 'add', 'a@b', '--bad'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('--bad'),
  });
});

test('a port in use is reported, and the process exits', async () => {
  await using place = await installation();
  const server = place.start(['serve', '--api']);
  const port = new URL(await line(server, /ready at (\S+)/)).port;
  await using other = await installation();
  expect(await other.run(['serve', '--api'], { PORT: port })).toMatchObject({
    code: 2,
    err: expect.stringContaining(`Port ${port} is already in use`),
  });
});

test(
  'a second server on a data folder is rejected while the first runs, commands are not, and a killed server leaves no lock',
  { timeout: 120_000 },
  async () => {
    await using place = await installation();
    const first = place.start(['serve', '--api']);
    const site = await line(first, /ready at (\S+)/);
    expect(await place.run(['serve', '--api'])).toEqual({
      code: 2,
      out: '',
      err: expect.stringMatching(/^Another server is already using \S+\. Stop it first, .*\n$/),
    });
    for (const command of [['check'], ['user', 'list'], ['collect'], ['statistics'], ['migrate']])
      expect(await place.run(command), command.join(' ')).toMatchObject({ code: 0 });
    const worker = place.start(['worker']);
    await line(worker, /(is running)/);
    expect((await fetch(`${site}/readyz`)).status).toBe(200);
    first.kill('SIGKILL');
    await ended(first);
    const next = place.start(['serve', '--api']);
    await line(next, /ready at (\S+)/);
    next.kill('SIGTERM');
    expect(await ended(next)).toBe(0);
  },
);

test('any number of servers on one machine share a PostgreSQL database', async () => {
  await using place = await installation('postgres');
  const servers = [place.start(['serve', '--api']), place.start(['serve', '--api'])];
  await Promise.all(servers.map((server) => line(server, /ready at (\S+)/)));
});

test('a running request is answered completely when the server is stopped, then the server exits', async () => {
  await using place = await installation();
  const server = place.start(['serve', '--api']);
  const site = await line(server, /ready at (\S+)/);
  const body = JSON.stringify({ username: 'nobody@example.org', password: 'not the password' });
  const agent = new Agent({ keepAlive: true });
  const slow = request(`${site}/v1/auth/signin`, {
    agent,
    method: 'POST',
    headers: { 'content-length': Buffer.byteLength(body), expect: '100-continue' },
  });
  const answer = new Promise<{ status: number | undefined; text: string }>((resolve, reject) => {
    slow.on(
      'response',
      (reply) => void text(reply).then((body) => resolve({ status: reply.statusCode, text: body }), reject),
    );
    slow.on('error', reject);
  });
  slow.flushHeaders();
  await once(slow, 'continue');
  slow.write(body.slice(0, 10));
  const stopped = ended(server);
  server.kill('SIGTERM');
  // For a moment the readiness check fails for proxies, then the server stops listening.
  await expect.poll(async () => (await fetch(`${site}/readyz`)).status).toBe(503);
  const health = await fetch(`${site}/healthz`);
  expect([health.status, health.headers.get('connection')]).toEqual([200, 'close']);
  await expect
    .poll(
      () =>
        fetch(`${site}/healthz`).then(
          () => 'answered',
          () => 'refused',
        ),
      { timeout: 10_000 },
    )
    .toBe('refused');
  slow.end(body.slice(10));
  expect(await answer).toMatchObject({
    status: 400,
    text: expect.stringContaining('captcha_required'),
  });
  expect(await stopped).toBe(0);
});

test('an unusable data folder is explained in one sentence', async () => {
  await using site = await installation();
  const file = join(site.folder, 'file');
  await writeFile(file, '');
  const sayings: Record<string, RegExp> = {
    [file]: /^\S+ is a file, but it has to be a folder\. Choose another one with DATA_DIR\.\n$/,
    [join(file, 'below')]:
      /^\S+ can’t be a folder because part of the path is a file\. Choose another one with DATA_DIR\.\n$/,
  };
  for (const [folder, saying] of Object.entries(sayings)) {
    const { code, err } = await site.run(['serve', '--api'], { DATA_DIR: folder });
    expect({ folder, code, err }).toEqual({ folder, code: 1, err: expect.stringMatching(saying) });
  }
});

test('a storage service that accepts connections and never responds ends the start with one sentence', async () => {
  await using site = await installation();
  const sockets = new Set<Socket>();
  const hanging = createServer((socket) => void sockets.add(socket.on('error', () => {})));
  await once(hanging.listen(0, '127.0.0.1'), 'listening');
  const { port } = hanging.address() as AddressInfo;
  const { code, out, err } = await site.run(['serve', '--api'], {
    STORAGE_URL: `s3://key:secret@127.0.0.1:${port}/bucket?tls=0&pathStyle=1`,
  });
  for (const socket of sockets) socket.destroy();
  hanging.close();
  expect(sockets.size).toBeGreaterThan(0);
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^[^\n]*127\.0\.0\.1[^\n]*didn’t respond within \d+ seconds\.\n$/);
  expect(err).not.toContain('secret');
});

/** Starts an upload of many bytes over WebDAV, and sends some of them. */
async function beginUpload(site: string): Promise<ClientRequest> {
  const upload = request(`${site}/dav/large.bin`, {
    method: 'PUT',
    headers: {
      authorization: `Basic ${Buffer.from('olga@example.org:a bower of blue things').toString('base64')}`,
      'content-length': 10_000_000,
      expect: '100-continue',
    },
  });
  upload.on('error', () => {});
  upload.flushHeaders();
  await once(upload, 'continue');
  upload.write(Buffer.alloc(100_000));
  return upload;
}

const OPERATOR = { OPERATOR_EMAIL: 'olga@example.org', OPERATOR_PASSWORD: 'a bower of blue things' };

test('a stalled upload does not delay the stop, but an active one is waited for', async () => {
  await using place = await installation();
  const server = place.start(['serve', '--api'], { ...OPERATOR, STOP_SECONDS: '300' });
  const site = await line(server, /ready at (\S+)/);
  const still = await beginUpload(site);
  const moving = await beginUpload(site);
  const cut = new Promise((resolve) => still.on('close', resolve));
  const stopped = ended(server);
  server.kill('SIGTERM');
  const moves = setInterval(() => moving.write(Buffer.alloc(1000)), 200);
  await cut;
  clearInterval(moves);
  expect(server.exitCode).toBeNull();
  moving.destroy();
  expect(await stopped).toBe(0);
}, 180_000);

test('uploads still active after the timeout are cut off, and the server exits', async () => {
  await using place = await installation();
  const server = place.start(['serve', '--api'], { ...OPERATOR, STOP_SECONDS: '2' });
  const site = await line(server, /ready at (\S+)/);
  const moving = await beginUpload(site);
  const moves = setInterval(() => moving.write(Buffer.alloc(1000)), 100);
  server.kill('SIGTERM');
  expect(await ended(server)).toBe(0);
  clearInterval(moves);
}, 180_000);

test('a request on a connection opened just before the server stopped listening is answered', async () => {
  await using place = await installation();
  const server = place.start(['serve', '--api'], OPERATOR);
  const site = await line(server, /ready at (\S+)/);
  // Without a running request the server would exit as soon as it stops listening.
  const moving = await beginUpload(site);
  const moves = setInterval(() => moving.write(Buffer.alloc(1000)), 100);
  server.kill('SIGTERM');
  const opened: Socket[] = [];
  for (let socket: Socket | undefined; (socket = await connected(site)); await sleep(5)) opened.push(socket);
  const answers = await Promise.all(
    opened.slice(-20).map(async (socket) => {
      socket.write('GET /healthz HTTP/1.1\r\nhost: drive\r\n\r\n');
      // A connection still in the system's queue is cut; its client retries.
      return text(socket).catch(() => '');
    }),
  );
  const answered = answers.filter((answer) => answer !== '');
  expect(answered.length).toBeGreaterThan(0);
  for (const answer of answered)
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n(?:[^\r]+\r\n)*connection: close\r\n/i);
  clearInterval(moves);
  moving.destroy();
  expect(await ended(server)).toBe(0);
}, 180_000);

/** Connection to a server, while it accepts any. */
function connected(site: string): Promise<Socket | undefined> {
  const { hostname, port } = new URL(site);
  return new Promise((resolve) => {
    const socket = connect(Number(port), hostname);
    socket.once('connect', () => resolve(socket));
    socket.on('error', () => resolve(undefined));
  });
}

test('no request on a kept-alive connection is lost while the server stops', async () => {
  await using place = await installation();
  const server = place.start(['serve', '--api']);
  const site = await line(server, /ready at (\S+)/);
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  let answers = 0;
  /** Returns the response's Connection header. */
  const ask = async (): Promise<string | undefined> => {
    const asked = request(`${site}/healthz`, { agent }).end();
    const [reply] = (await once(asked, 'response')) as [IncomingMessage];
    await text(reply);
    expect(reply.statusCode).toBe(200);
    answers += 1;
    return reply.headers.connection;
  };
  const load = Promise.all(
    Array.from({ length: 4 }, async () => {
      while ((await ask()) !== 'close');
    }),
  );
  await expect.poll(() => answers, { timeout: 10_000 }).toBeGreaterThan(50);
  const stopped = ended(server);
  server.kill('SIGTERM');
  await load;
  expect(await stopped).toBe(0);
  agent.destroy();
}, 180_000);
