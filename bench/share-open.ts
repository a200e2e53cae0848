import { join } from 'node:path';
import autocannon from 'autocannon';
import { shareApi } from '@bowerbird/contract';
import { captchaTold, openTestApp, plant } from '../server/testing/index.ts';
import { serveMeasured, startMeasured, type MeasuredServer } from './support/measured-server.ts';

// A visitor opens a public share of 20 files, as JSON and as a page: one process on SQLite, a client on the machine's
// other core.

const FILES = 20;
const PAGES = join(import.meta.dirname, '../web/build');

interface Scene {
  readonly json: string;
  readonly page: string;
  readonly headers: Record<string, string>;
}

async function serve(): Promise<void> {
  const app = await openTestApp({
    environment: { LOG_LEVEL: 'silent' },
    pages: { built: PAGES },
  });
  const ann = await app.signUp('ann');
  const ids = await plant(
    app,
    ann.id,
    Object.fromEntries(Array.from({ length: FILES }, (_, at) => [`photo ${at}.jpg`, String(at)])),
  );
  const { share_id: shareId } = await ann.call(shareApi.create, { body: { file_ids: Object.values(ids) } });
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  const scene: Scene = {
    json: `${url}/drive/v1/share?share_id=${shareId}&limit=100`,
    headers: await captchaTold(app.http, shareApi.open),
    page: `${url}/s/${shareId}`,
  };
  serveMeasured(app, scene);
}

async function load(
  server: MeasuredServer<Scene>,
  url: string,
  headers: Record<string, string> = {},
): Promise<string> {
  await autocannon({ url, headers, connections: 16, duration: 2 });
  const before = await server.cpuMs();
  const { requests, latency, non2xx, errors } = await autocannon({
    url,
    headers,
    connections: 16,
    duration: 8,
  });
  const cpu = (await server.cpuMs()) - before;
  if (non2xx + errors > 0) throw new Error(`${non2xx} refused, ${errors} failed`);
  return `${Math.round(requests.average)} requests/s, p50 ${latency.p50} ms, p99 ${latency.p99} ms, ${(cpu / requests.total).toFixed(2)} ms of CPU each`;
}

async function measure(): Promise<void> {
  const server = await startMeasured<Scene>(import.meta.filename);
  const { scene } = server;
  const json = await load(server, scene.json, scene.headers);
  const page = await load(server, scene.page);
  await server.close();
  console.log(`open share of ${FILES} files: JSON ${json}; page ${page}`);
}

await (process.argv[2] === 'serve' ? serve() : measure());
