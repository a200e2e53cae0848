import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../interop/server.ts';
import { ownPostgres } from '../server/testing/index.ts';
import { startSharedServices } from '../tools/services.ts';
import { openWay } from './cut-off.ts';
import { productProcess, runCommand } from './processes.ts';
import type { Fault, OpenSetup } from './setup.ts';

// Two servers and a worker over PostgreSQL and S3.

export const openCluster: OpenSetup = async (findings) => {
  const postgres = await ownPostgres();
  const { TEST_S3_URL: s3 } = await startSharedServices(['s3']);
  const address = new URL(s3!);
  const way = await openWay({ host: address.hostname, port: Number(address.port) });
  address.port = String(way.port);
  address.pathname = `/bowerbird-campaign-${randomBytes(4).toString('hex')}`;
  const ports = [await freePort(), await freePort()];
  const environment = {
    DATABASE_URL: postgres.url,
    STORAGE_URL: address.href,
    SECRET: randomBytes(32).toString('hex'),
    HOST: '127.0.0.1',
    SITE_URL: `http://127.0.0.1:${ports[0]}`,
    LOG_LEVEL: 'fatal',
    FETCH_ALLOW: '127.0.0.0/8',
  };
  const servers = ports.map((port) => productProcess('serve', { ...environment, PORT: String(port) }));
  const worker = productProcess('worker', environment);
  for (const each of [...servers, worker]) each.onDeath = (how) => findings.add(how);

  const faults: Fault[] = [
    {
      name: 'a server is killed',
      async happen(random) {
        const server = random.pick(servers);
        await server.kill();
        await server.start();
      },
    },
    {
      name: 'the worker is killed',
      async happen() {
        await worker.kill();
        await worker.start();
      },
    },
    {
      name: 'a helper process is killed',
      async happen(random) {
        random.pick([...servers, worker]).killHelper();
        await sleep(500);
      },
    },
    {
      name: 'PostgreSQL restarts at once',
      async happen() {
        await postgres.crash();
        await postgres.start();
      },
    },
    {
      name: 'S3 refuses connections for a while',
      async happen(random) {
        way.cut('refused');
        await sleep(random.between(2_000, 8_000));
        way.restore();
      },
    },
    {
      name: 'S3 says nothing for a while',
      async happen(random) {
        way.cut('silent');
        await sleep(random.between(2_000, 8_000));
        way.restore();
      },
    },
    {
      name: 'the servers are restarted in turn',
      async happen() {
        for (const server of servers) {
          const code = await server.stop();
          if (code !== 0) findings.add(`a server ended with code ${code} after SIGTERM`);
          await server.start();
        }
      },
    },
  ];
  return {
    name: 'cluster',
    origins: () => ports.map((port) => `http://127.0.0.1:${port}`),
    faults,
    async addMember(email, password) {
      const { code, output } = await runCommand(['user', 'add', email, '--password', password], environment);
      if (code !== 0) throw new Error(output);
    },
    async start() {
      for (const each of [...servers, worker]) await each.start();
    },
    async stopAndCheck() {
      for (const each of [...servers, worker]) await each.stop();
      return runCommand(['check'], environment);
    },
    async [Symbol.asyncDispose]() {
      for (const each of [...servers, worker]) await each.kill();
      await way[Symbol.asyncDispose]();
      await postgres[Symbol.asyncDispose]();
    },
  };
};
