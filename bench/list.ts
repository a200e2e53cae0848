import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { driveApi } from '@bowerbird/contract';
import { growForest, openTestApp, type Member, type Sapling, type TestApp } from '../server/testing/index.ts';

// A member lists 100 entries of a folder of 10,000, on a small drive and on one of a million nodes.

const FOLDER = 10_000;
const LARGE = Number(process.argv[2] ?? 1_000_000);
const TIMES = 400;

function* folders(app: TestApp, root: string, count: number): Generator<Sapling> {
  for (let made = 0; made < count;) {
    const id = app.ids.next();
    yield { id, parent: root, kind: 0, name: `Folder ${made}` };
    made += 1;
    for (let entry = 1; entry < FOLDER && made < count; entry++, made++) {
      yield {
        id: app.ids.next(),
        parent: id,
        kind: 1,
        name: `photo ${entry}.jpg`,
        size: entry,
        modifiedAt: 1_700_000_000_000 + ((entry * 7919) % 10_007) * 1000,
      };
    }
  }
}

const median = (times: number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;

async function measure(app: TestApp, ann: Member): Promise<{ inside: number; http: number }> {
  const { files } = await ann.call(driveApi.list, {
    query: { filters: '{"kind":{"eq":"drive#folder"}}', limit: 1000 },
  });
  const port = (app.http.server.address() as AddressInfo).port;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const orders = ['name_asc', 'mod_desc', 'type_desc', 'size_asc'];
  const url = (at: number): string =>
    `/drive/v1/files?parent_id=${files[(at * 7) % files.length]!.id}&limit=100&order=${orders[at % 4]}&filters=${encodeURIComponent('{"trashed":{"eq":false}}')}`;
  const overHttp = (at: number): Promise<void> =>
    new Promise((resolve, reject) => {
      const asked = request({ port, path: url(at), agent, headers: ann.headers }, (reply) => {
        reply.on('data', () => {}).on('end', resolve);
      });
      asked.on('error', reject).end();
    });
  const timed = async (work: (at: number) => Promise<unknown>): Promise<number> => {
    const times: number[] = [];
    for (let at = 0; at < TIMES; at++) {
      const started = performance.now();
      await work(at);
      times.push(performance.now() - started);
    }
    return median(times.slice(TIMES / 4));
  };
  const http = await timed(overHttp);
  const inside = await timed((at) => app.http.inject({ url: url(at), headers: { ...ann.headers } }));
  agent.destroy();
  return { inside, http };
}

async function drive(nodes: number): Promise<{ inside: number; http: number }> {
  await using app = await openTestApp({ environment: { LOG_LEVEL: 'silent' } });
  const ann = await app.signUp('ann');
  await growForest(app, ann.id, folders(app, ann.id, nodes));
  await app.http.listen({ port: 0, host: '127.0.0.1' });
  return await measure(app, ann);
}

const [small, large] = [await drive(FOLDER), await drive(LARGE)];
const ms = (time: number): string => `${time.toFixed(2)} ms`;
console.log(
  `list of 100 in a folder of ${FOLDER}: p50 ${ms(large.http)} over HTTP, ${ms(large.inside)} in process, on a drive of ${LARGE} nodes; ${ms(small.http)} and ${ms(small.inside)} on one of ${FOLDER}`,
);
