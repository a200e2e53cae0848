import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { basic, openTestApp, plant, signV4 } from '../server/testing/index.ts';
import { driveApi } from '@bowerbird/contract';

// Over HTTP on loopback with curl: a folder of 1,000 entries by PROPFIND, and 256 MiB by PUT and GET. For comparison,
// in alternation, the same bytes as a plain upload in one body and as a plain download. The best of several rounds
// each.

const ENTRIES = 1000;
const SIZE = 256 * 2 ** 20;
const ROUNDS = 6;

await using app = await openTestApp({
  environment: { LOG_LEVEL: 'silent', MEMBER_STORAGE: '1 TB', SITE_URL: '' },
});
const ann = await app.signUp('ann');
await plant(app, ann.id, {
  many: Object.fromEntries(Array.from({ length: ENTRIES }, (_, at) => [`photo ${at}.jpg`, `${at}`])),
});
await app.http.listen({ port: 0, host: '127.0.0.1' });
const host = `127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
const dav = `http://${host}/dav`;
const folder = await mkdtemp(join(tmpdir(), 'bowerbird-bench-'));
const file = join(folder, 'large.bin');
const bytes = createWriteStream(file);
const piece = randomBytes(2 ** 20);
for (let at = 0; at < SIZE; at += piece.length) bytes.write(piece.fill(at % 251, 0, 4096));
await new Promise((resolve) => bytes.end(resolve));

/** Duration of a request in seconds, as measured by curl. */
async function curl(address: string, headers: Record<string, string>, ...more: string[]): Promise<number> {
  const given = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const args = ['-sf', '-o', '/dev/null', '-w', '%{time_total}', ...given, ...more, address];
  const child = spawn('curl', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [text, code] = await Promise.all([
    Array.fromAsync(child.stdout, String).then((parts) => parts.join('')),
    new Promise((resolve) => child.on('exit', resolve)),
  ]);
  if (code !== 0) throw new Error(`curl of ${address} ended with ${String(code)}`);
  return Number(text);
}

const authorization = basic(ann.email, ann.password);
const mebibytes = (seconds: number): number => SIZE / 2 ** 20 / seconds;

async function plainUpload(): Promise<{ speed: number; id: string }> {
  const { file: made, resumable } = await ann.call(driveApi.create, {
    body: { kind: 'drive#file', name: 'plain.bin', size: SIZE },
  });
  const path = `/${resumable!.params.bucket}/${resumable!.params.key}`;
  const headers = signV4(resumable!.params, { method: 'PUT', path, query: '', host, at: Date.now() });
  const seconds = await curl(`http://${host}${path}`, { ...headers, expect: '' }, '-T', file);
  return { speed: mebibytes(seconds), id: made!.id };
}

async function plainDownload(id: string): Promise<number> {
  const node = (await app.nodes.find(app.database, ann.id, id))!;
  const { url } = app.drive.links.download(node, { disposition: 'attachment', origin: `http://${host}` });
  return mebibytes(await curl(url, {}));
}

const listed: number[] = [];
const speeds = { put: [] as number[], get: [] as number[], up: [] as number[], down: [] as number[] };
try {
  for (let round = 0; round < ROUNDS; round++) {
    for (let time = 0; time < 4; time++)
      listed.push(await curl(`${dav}/many/`, { authorization, depth: '1' }, '-X', 'PROPFIND'));
    // The second one finds everything cached, so they alternate.
    const put = async (): Promise<void> =>
      void speeds.put.push(
        mebibytes(await curl(`${dav}/put.bin`, { authorization, expect: '' }, '-T', file)),
      );
    if (round % 2 === 0) await put();
    const { speed, id } = await plainUpload();
    speeds.up.push(speed);
    if (round % 2 === 1) await put();
    speeds.get.push(mebibytes(await curl(`${dav}/put.bin`, { authorization })));
    speeds.down.push(await plainDownload(id));
    await ann.call(driveApi.remove, { params: { id } });
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
const best = (values: readonly number[]): number => Math.max(...values);
const against = (ours: readonly number[], plain: readonly number[]): string =>
  `${best(ours).toFixed(0)} MiB/s (${(best(ours) / best(plain)).toFixed(2)} of the plain way)`;
console.log(
  `WebDAV: PROPFIND of ${ENTRIES} entries ${(Math.min(...listed) * 1000).toFixed(1)} ms; 256 MiB by PUT ${against(speeds.put, speeds.up)}, by GET ${against(speeds.get, speeds.down)}`,
);
