import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

// Resident memory of the idle server: started with its pages, each kind of page requested once, then left alone.

const REST_MS = 20_000;
const folder = await mkdtemp(join(tmpdir(), 'bowerbird-memory-'));
const main = join(import.meta.dirname, '../.cache/server/main.js');
const server = spawn(process.execPath, [main, 'serve'], {
  env: {
    ...process.env,
    NODE_ENV: 'production',
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: folder,
    LOG_LEVEL: 'silent',
  },
  stdio: ['ignore', 'pipe', 'inherit'],
});
try {
  const [line] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string];
  const address = /http:\/\/localhost:\d+/.exec(line)![0];
  for (const path of ['/', '/ru', '/drive/login', '/sign-up', '/s/unknown', '/openapi.json'])
    await (await fetch(address + path)).text();
  await sleep(REST_MS);
  const status = await readFile(`/proc/${server.pid}/status`, 'utf8');
  console.log(`server at rest: ${Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024)} MB resident`);
} finally {
  server.kill('SIGTERM');
  await once(server, 'exit');
  await rm(folder, { recursive: true, force: true });
}
