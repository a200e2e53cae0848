import { accountApi, driveApi } from '@bowerbird/contract';
import pg from 'pg';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  askTicket,
  basic,
  davClient,
  objectClient,
  openTestApp,
  ownPostgres,
  plant,
  realServer,
  stripeServer,
  upload,
  PASSWORD,
  type Member,
  type Person,
  type TestApp,
} from '../testing/index.ts';
import { databaseTrouble, type Dialect } from './foundation/database/index.ts';

const SELLING = {
  external_products: {
    products: [
      { id: 'vip', kind: 'plan', plan: 'vip', terms: [{ id: 'month', months: 1, price: { USD: 499 } }] },
    ],
  },
};

interface Answered {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** One request to every kind of endpoint that needs the database. */
async function doorsOf(app: TestApp, ann: Member): Promise<Record<string, () => Promise<Answered>>> {
  const file = await upload(app, ann, 'song.txt', 'a bird sings');
  const link = new URL(file.web_content_link);
  const dav = davClient(app.http, { authorization: basic(ann.email, PASSWORD) });
  const put = async () => {
    const { resumable } = await askTicket(ann, { name: 'next.txt', size: 4 });
    return objectClient(app, resumable!.params);
  };
  const ready = await put();
  const asReply = ({ status, headers, text }: { status: number; headers: object; text: string }) => ({
    statusCode: status,
    headers: headers as Record<string, unknown>,
    body: text,
  });
  let count = 0;
  return {
    'listing files': () => ann.inject({ method: 'GET', url: '/drive/v1/files' }),
    'making a folder': () =>
      ann.inject({
        method: 'POST',
        url: '/drive/v1/files',
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify({ kind: 'drive#folder', name: `folder ${(count += 1)}` }),
      }),
    'who I am': () => ann.inject({ method: 'GET', url: '/v1/user/me' }),
    'a new access token': () =>
      app.http.inject({
        method: 'POST',
        url: '/v1/auth/token',
        headers: { 'content-type': 'application/json' },
        payload: JSON.stringify({ grant_type: 'refresh_token', refresh_token: ann.refreshToken }),
      }),
    downloading: () => app.http.inject({ method: 'GET', url: link.pathname + link.search }),
    'listing over WebDAV': async () => asReply(await dav.find('/', '1')),
    'writing over WebDAV': async () => asReply(await dav.put('/notes.txt', 'notes')),
    'making a folder over WebDAV': async () => asReply(await dav.send('MKCOL', `/album ${(count += 1)}`)),
    'uploading bytes': async () => asReply(await ready.put('blue')),
  };
}

test(
  'while PostgreSQL is down every endpoint returns 503 with Retry-After, and works again once it is back',
  {
    timeout: 120_000,
  },
  async () => {
    await using postgres = await ownPostgres();
    await using stripe = await stripeServer();
    await using app = await openTestApp({
      environment: { DATABASE_URL: postgres.url, ...stripe.environment },
      documents: SELLING,
    });
    const ann = await app.signUp('ann');
    const doors = {
      ...(await doorsOf(app, ann)),
      'an event of a payment': () => {
        const { body, headers } = stripe.event('charge.refunded', {
          currency: 'usd',
          amount: 1,
          refunded: true,
          metadata: {},
        });
        return app.http.inject({ method: 'POST', url: '/vip/v1/stripe/webhook', payload: body, headers });
      },
    };
    await postgres.crash();
    for (const [name, knock] of Object.entries(doors)) {
      const { statusCode, headers, body } = await knock();
      expect(statusCode, `${name}: ${body}`).toBe(503);
      expect(headers['retry-after'], name).toBe('2');
    }
    await postgres.start();
    for (const [name, knock] of Object.entries(doors)) {
      const { statusCode, body } = await knock();
      expect(statusCode, `${name}: ${body}`).toBeLessThan(500);
    }
  },
);

test(
  'connections that are terminated in the middle of queries cause 503 at most and never end the process',
  {
    timeout: 120_000,
  },
  async () => {
    await using app = await openTestApp({ dialect: 'postgres' });
    const ann = await app.signUp('ann');
    const doors = Object.entries(await doorsOf(app, ann));
    const ending = new AbortController();
    const seen = new Map<number, number>();
    const knockOn = async (at: number): Promise<void> => {
      for (let turn = at; !ending.signal.aborted; turn++) {
        const [name, knock] = doors[turn % doors.length]!;
        const { statusCode, body } = await knock();
        if (statusCode >= 500) expect(statusCode, `${name}: ${body}`).toBe(503);
        seen.set(statusCode, (seen.get(statusCode) ?? 0) + 1);
      }
    };
    const load = Promise.all(Array.from({ length: 8 }, (_, at) => knockOn(at)));
    const admin = new pg.Client({ connectionString: app.config.DATABASE_URL });
    await admin.connect();
    try {
      while ((seen.get(503) ?? 0) < 20)
        await admin.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        );
    } finally {
      ending.abort();
      await load;
      await admin.end();
    }
    const { statusCode } = await ann.inject({ method: 'GET', url: '/drive/v1/files' });
    expect(statusCode).toBe(200);
  },
);

test('a lost connection does not hide why a transaction failed', async () => {
  await using app = await openTestApp({ dialect: 'postgres' });
  const admin = new pg.Client({ connectionString: app.config.DATABASE_URL });
  await admin.connect();
  const pidOf = async (tx: Parameters<Parameters<typeof app.database.transaction>[0]>[0]): Promise<number> =>
    (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx.on())).rows[0]!.pid;
  const end = async (pid: number): Promise<void> => {
    await admin.query('select pg_terminate_backend($1)', [pid]);
    await expect
      .poll(async () => (await admin.query('select 1 from pg_stat_activity where pid = $1', [pid])).rowCount)
      .toBe(0);
  };
  try {
    const refused = app.database.transaction(async (tx) => {
      await end(await pidOf(tx));
      throw new Error('the reason');
    });
    await expect(refused).rejects.toThrow('the reason');
    const lost = app.database.transaction(async (tx) => {
      await end(await pidOf(tx));
      await sql`select 1`.execute(tx.on());
    });
    expect(databaseTrouble(await lost.catch((error: unknown) => error))).toBe('busy');
    const uncommitted = app.database.transaction(async (tx) => end(await pidOf(tx)));
    expect(databaseTrouble(await uncommitted.catch((error: unknown) => error))).toBe('busy');
    await app.database.ping();
  } finally {
    await admin.end();
  }
});

/** Caps the database at its current size, or lifts the cap. */
async function fill(app: TestApp, isFull: boolean): Promise<void> {
  await app.database.transaction((tx) =>
    sql.raw(`pragma max_page_count = ${isFull ? 1 : 4294967294}`).execute(tx.on()),
  );
}

test('a full disk returns 507 for every write, reads continue, and writes resume once there is space', async () => {
  await using app = await openTestApp();
  const ann = await app.signUp('ann');
  const doors = await doorsOf(app, ann);
  const folder = (name: string) =>
    ann.inject({
      method: 'POST',
      url: '/drive/v1/files',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify({ kind: 'drive#folder', name }),
    });
  await fill(app, true);
  const filling = await (async () => {
    for (let count = 0; ; count++) {
      const reply = await folder(`${count} ${'x'.repeat(200)}`);
      if (reply.statusCode !== 200) return reply;
    }
  })();
  expect(filling.statusCode, filling.body).toBe(507);
  expect(filling.json()).toMatchObject({ error: 'disk_full' });
  expect((await doors['listing files']!()).statusCode).toBe(200);
  expect((await doors['downloading']!()).statusCode).toBe(200);
  for (const knock of Object.values(doors)) expect([500, 503]).not.toContain((await knock()).statusCode);
  await fill(app, false);
  expect((await folder('room')).statusCode).toBe(200);
  expect(await app.drive.check({ repair: false })).toEqual([]);
});

test('a full disk returns 507 for renaming, trashing, signing up and signing in, and nothing is half done', async () => {
  await using app = await openTestApp();
  const ann = await app.signUp('ann');
  const before = Array.from({ length: 300 }, (_, at) => `f${at}`);
  const ids = await plant(app, ann.id, Object.fromEntries(before.map((name) => [name, 'x'])));
  const send = (method: 'PATCH' | 'POST', url: string, payload: object, person: Person = ann) =>
    person.inject({
      method,
      url,
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(payload),
    });
  const doors: Record<string, (turn: number) => Promise<Answered>> = {
    'making a folder': (turn) =>
      send('POST', '/drive/v1/files', { kind: 'drive#folder', name: `${turn} ${'x'.repeat(200)}` }),
    renaming: (turn) =>
      send('PATCH', `/drive/v1/files/${ids[before[turn]!]}`, { name: `${turn} ${'日'.repeat(80)}` }),
    trashing: (turn) => send('POST', '/drive/v1/files:batchTrash', { ids: [ids[before.at(-1 - turn)!]] }),
    'signing in': () =>
      send('POST', '/v1/auth/signin', { username: ann.email, password: PASSWORD }, app.visitor),
    'signing up': (turn) =>
      send(
        'POST',
        '/v1/auth/signup',
        { email: `m${turn}@example.org`, password: PASSWORD, name: 'm' },
        app.visitor,
      ),
  };
  await fill(app, true);
  // Each table has a little room left in its last pages, so each kind of change is repeated until it fails.
  for (const [name, knock] of Object.entries(doors)) {
    let reply = await knock(0);
    for (let turn = 1; reply.statusCode === 200; turn++) reply = await knock(turn);
    expect(reply.statusCode, `${name}: ${reply.body}`).toBe(507);
    expect(JSON.parse(reply.body), name).toMatchObject({ error: 'disk_full' });
    expect(reply.headers['retry-after'], name).toBeDefined();
  }
  expect(await app.drive.check({ repair: false })).toEqual([]);
  await fill(app, false);
  for (const [name, knock] of Object.entries(doors))
    expect((await knock(name === 'making a folder' ? 9999 : 150)).statusCode, name).toBe(200);
  expect(await app.drive.check({ repair: false })).toEqual([]);
});

test('a transaction that the database itself rolled back reports its cause', async () => {
  await using app = await openTestApp();
  await fill(app, true);
  const written = app.database.transaction(async (tx) => {
    await sql`create table filler (bytes blob)`.execute(tx.on());
    for (;;) await sql`insert into filler values (zeroblob(100000))`.execute(tx.on());
  });
  expect(databaseTrouble(await written.catch((error: unknown) => error))).toBe('full');
});

test(
  'a server survives crashes of PostgreSQL under load, and a starting server waits for the database',
  {
    timeout: 180_000,
  },
  async () => {
    await using postgres = await ownPostgres();
    await using server = await realServer({ DATABASE_URL: postgres.url, LOG_LEVEL: 'silent' });
    await postgres.crash();
    const started = server.start();
    await postgres.start();
    await started;
    const { access_token: token } = await server.call(accountApi.signUp, {
      body: { email: 'ann@example.org', password: PASSWORD, name: 'Ann' },
    });
    const ending = new AbortController();
    let made = 0;
    const makeFolders = async (client: number): Promise<void> => {
      for (let count = 0; !ending.signal.aborted; count++) {
        const reply = await fetch(`${server.origin}/drive/v1/files`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
          body: JSON.stringify({ kind: 'drive#folder', name: `${client} ${count}` }),
        });
        const text = await reply.text();
        expect([200, 503], text).toContain(reply.status);
        if (reply.status === 200) made += 1;
      }
    };
    const load = Promise.all(Array.from({ length: 8 }, (_, client) => makeFolders(client)));
    for (let crashes = 0; crashes < 3; crashes++) {
      const before = made;
      await expect.poll(() => made, { timeout: 30_000 }).toBeGreaterThan(before + 20);
      await postgres.crash();
      await postgres.start();
    }
    ending.abort();
    await load;
    const { files } = await server.call(driveApi.list, { query: { limit: 10 } }, token);
    expect(files.length).toBe(10);
  },
);

const dialects: readonly Dialect[] = ['sqlite', 'postgres'];
test.each(dialects)('on %s a failed statement is not treated as an outage', async (dialect) => {
  await using app = await openTestApp({ dialect });
  const wrong = app.database.transaction((tx) => sql`select nothing from nowhere`.execute(tx.on()));
  expect(databaseTrouble(await wrong.catch((error: unknown) => error))).toBeUndefined();
});
