import { join } from 'node:path';
import autocannon from 'autocannon';
import { shareApi } from '@bowerbird/contract';
import {
  captchaTold,
  growForest,
  openTestApp,
  plant,
  type Sapling,
  type TestApp,
} from '../server/testing/index.ts';
import { serveMeasured, startMeasured, type MeasuredServer } from './support/measured-server.ts';
import { median } from './support/median.ts';

// Lists, shares and share pages of 100 rows: the CPU time of a request, as a multiple of the CPU time of the smallest
// one (/healthz) in the same run. The server is one process on SQLite, the client is on the machine's other core.

const ROWS = 100;
const LARGE = 10_000;
const CONNECTIONS = 8;
const ROUNDS = Number(process.argv[2]) || 3;
const SECONDS = 2;
/** Number of different requests, far more than the server remembers lists. */
const DIFFERENT = 2000;
const PAGES = join(import.meta.dirname, '../web/build');

interface Target {
  readonly name: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  /** True if every request differs from those before, in a parameter without a meaning. */
  readonly differs?: true;
}

interface Scene {
  readonly url: string;
  readonly targets: readonly Target[];
}

function* files(app: TestApp, parent: string, count: number): Generator<Sapling> {
  for (let made = 0; made < count; made++)
    yield { id: app.ids.next(), parent, kind: 1, name: `photo ${made}.jpg`, size: made };
}

async function serve(): Promise<void> {
  const app = await openTestApp({ environment: { LOG_LEVEL: 'silent' }, pages: { built: PAGES } });
  const ann = await app.signUp('ann');
  const planted = await plant(app, ann.id, {
    small: Object.fromEntries(Array.from({ length: ROWS }, (_, at) => [`photo ${at}.jpg`, String(at)])),
  });
  const large = app.ids.next();
  await growForest(app, ann.id, [{ id: large, parent: ann.id, kind: 0, name: 'large' }]);
  await growForest(app, ann.id, files(app, large, LARGE));
  const roots = Array.from({ length: ROWS }, (_, at) => planted[`small/photo ${at}.jpg`]!);
  const share = async (ids: string[]): Promise<string> =>
    (await ann.call(shareApi.create, { body: { file_ids: ids } })).share_id;
  const shareId = await share(roots);
  const list = (folder: string): string =>
    `/drive/v1/files?parent_id=${folder}&limit=${ROWS}&filters=${encodeURIComponent('{"trashed":{"eq":false}}')}`;
  const targets: Target[] = [
    { name: 'healthz', path: '/healthz', headers: {} },
    {
      name: `list of ${ROWS} in a folder of ${ROWS}`,
      path: list(planted['small']!),
      headers: { ...ann.headers },
    },
    {
      name: `list of ${ROWS} in a folder of ${ROWS}, read each time`,
      path: list(planted['small']!),
      headers: { ...ann.headers },
      differs: true,
    },
    { name: `list of ${ROWS} in a folder of ${LARGE}`, path: list(large), headers: { ...ann.headers } },
    {
      name: `share of ${ROWS} files as JSON`,
      path: `/drive/v1/share?share_id=${shareId}&limit=${ROWS}`,
      headers: await captchaTold(app.http, shareApi.open),
    },
    { name: `share page of ${ROWS} files`, path: `/s/${shareId}`, headers: {} },
    // A page that is rendered for one reader: any cookie that doesn't change its look may belong to that reader.
    {
      name: `share page of ${ROWS} files, rendered each time`,
      path: `/s/${shareId}`,
      headers: { cookie: 'reader=1' },
    },
  ];
  const url = await app.http.listen({ port: 0, host: '127.0.0.1' });
  serveMeasured(app, { url, targets } satisfies Scene);
}

async function load(server: MeasuredServer<Scene>, { path, headers, differs }: Target, seconds = SECONDS) {
  const before = await server.cpuMs();
  const { requests, non2xx, errors } = await autocannon({
    url: server.scene.url + path,
    headers,
    ...(differs && {
      requests: Array.from({ length: DIFFERENT }, (_, at) => ({ path: `${path}&request=${at}` })),
    }),
    connections: CONNECTIONS,
    duration: seconds,
  });
  if (non2xx + errors > 0) throw new Error(`${path}: ${non2xx} refused, ${errors} failed`);
  return { cpu: ((await server.cpuMs()) - before) / requests.total, rate: requests.average };
}

async function measure(): Promise<void> {
  const server = await startMeasured<Scene>(import.meta.filename);
  const { url, targets } = server.scene;
  for (const target of targets) await load(server, target, 1);
  const rounds: { cpu: number; rate: number }[][] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const round: { cpu: number; rate: number }[] = [];
    for (const target of targets) round.push(await load(server, target));
    rounds.push(round);
  }
  for (const [at, { name, path, headers }] of targets.entries()) {
    if (at === 0) continue;
    const cpu = median(rounds.map((round) => round[at]!.cpu));
    const ratio = median(rounds.map((round) => round[at]!.cpu / round[0]!.cpu));
    const rate = median(rounds.map((round) => round[at]!.rate));
    const bytes = (await (await fetch(url + path, { headers })).arrayBuffer()).byteLength;
    console.log(
      `${name}: ${ratio.toFixed(1)} times the CPU time of /healthz (${cpu.toFixed(2)} ms, ${Math.round(rate)}/s, ${Math.round(bytes / 1000)} kB)`,
    );
  }
  await server.close();
}

await (process.argv[2] === 'serve' ? serve() : measure());
