import { spawn } from 'node:child_process';
import { chmodSync, existsSync, linkSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openTestApp, plant } from '../server/testing/index.ts';
import { fetchSpeed } from './support/curl.ts';
import { median } from './support/median.ts';

// 1 GiB over HTTP on loopback with curl, once and eight times in parallel, compared with nginx using sendfile: medians of
// several alternating rounds, so that both run under the same conditions.

const SIZE = 2 ** 30;
const ROUNDS = Number(process.argv[2]) || 7;

await using app = await openTestApp({
  environment: { LOG_LEVEL: 'silent', MEMBER_STORAGE: '1 TB', SITE_URL: '' },
});
const ann = await app.signUp('ann');
const ids = await plant(app, ann.id, { 'large.bin': Buffer.alloc(SIZE, 'bowerbird ') });
await app.http.listen({ port: 0, host: '127.0.0.1' });
const node = (await app.nodes.find(app.database, ann.id, ids['large.bin']!))!;
const { url } = app.drive.links.download(node, {
  disposition: 'attachment',
  origin: `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`,
});

/** MiB per second, of all streams together. */
async function speed(address: string, streams: number): Promise<number> {
  const speeds = await Promise.all(Array.from({ length: streams }, () => fetchSpeed(address)));
  return speeds.reduce((sum, one) => sum + one, 0);
}

async function startNginx(): Promise<{ address: string; stop: () => void } | undefined> {
  if (!existsSync('/usr/sbin/nginx')) return undefined;
  const folder = join(app.config.DATA_DIR, 'nginx');
  mkdirSync(join(folder, 'files'), { recursive: true });
  chmodSync(app.config.DATA_DIR, 0o755);
  const bytes = readdirSync(app.config.DATA_DIR, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .find((path) => statSync(path).size === SIZE)!;
  linkSync(bytes, join(folder, 'files', 'large.bin'));
  chmodSync(join(folder, 'files', 'large.bin'), 0o644);
  const port = await new Promise<number>((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const { port: free } = probe.address() as AddressInfo;
      probe.close(() => resolve(free));
    });
  });
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; user root; worker_processes auto; pid ${folder}/pid; error_log stderr; events {} http { access_log off; sendfile on; tcp_nopush on; server { listen 127.0.0.1:${port}; root ${folder}/files; } }`,
  );
  const child = spawn('/usr/sbin/nginx', ['-c', join(folder, 'nginx.conf'), '-p', folder], {
    stdio: 'inherit',
  });
  await sleep(500);
  return { address: `http://127.0.0.1:${port}/large.bin`, stop: () => void child.kill('SIGQUIT') };
}

const nginx = await startNginx();
try {
  for (const streams of [1, 8]) {
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await speed(url, streams));
      if (nginx) theirs.push(await speed(nginx.address, streams));
    }
    const beside = nginx
      ? `, ${median(ours.map((own, at) => own / theirs[at]!)).toFixed(2)} of nginx with sendfile (${median(theirs).toFixed(0)} MiB/s)`
      : '';
    console.log(
      `download of 1 GiB, ${streams} at a time: ${median(ours).toFixed(0)} MiB/s${beside}, ${ROUNDS} rounds`,
    );
  }
} finally {
  nginx?.stop();
}
