import { Agent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { growForest, openTestApp, type Member, type Sapling, type TestApp } from '../server/testing/index.ts';
import { median } from './support/median.ts';

// A member with a million names searches for 1, 2, 3 and 8 characters. For comparison, SQLite reads all names once.

const NAMES = Number(process.argv[2] ?? 1_000_000);
const PER_FOLDER = 1000;
const TIMES = 30;
const WORDS =
  'photo summer invoice report beach holiday project final draft meeting budget vacation scan letter music video backup archive garden kitchen paris london berlin tokyo mountain river forest city night winter'.split(
    ' ',
  );

/** Queries by length, found and not found; each time another one. */
const QUERIES: Readonly<Record<string, (at: number) => string>> = {
  '1 character, hit': (at) => 'pbmi19_é'[at % 8]!,
  '1 character, miss': (at) => 'qxйー%'[at % 5]!,
  '2 characters, hit': (at) => ['ph', 'be', 'in', 'to', '20', 'er', 'on'][at % 7]!,
  '2 characters, miss': (at) => ['qq', 'xz', '海京', 'jq', '#!'][at % 5]!,
  '3 characters, hit': (at) => ['pho', 'bea', 'tok', 'ter', 'IMG'][at % 5]!,
  '3 characters, miss': (at) => ['qqq', 'xyz', 'zzz', 'foo', 'bar'][at % 5]!,
  '8 characters, hit': (at) =>
    ['invoice ', 'mountain', `${WORDS[at]!} ${at}`.padEnd(8, '0').slice(0, 8)][at % 3]!,
  '8 characters, miss': (at) =>
    ['elephant', `beach${at}zz`, 'notfound', `photo ${at}x`.padEnd(8, 'y')][at % 4]!,
  'two words': (at) => `${WORDS[at % 30]!} ${WORDS[(at * 7 + 3) % 30]!} ${at}`,
};

function* names(app: TestApp, root: string): Generator<Sapling> {
  let seed = 5;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  let folder = root;
  for (let made = 0; made < NAMES; made++) {
    const id = app.ids.next();
    const word = WORDS[random(WORDS.length)]!;
    const extension = ['jpg', 'pdf', 'txt', 'docx', 'mp4'][random(5)]!;
    if (made % PER_FOLDER === 0) {
      folder = id;
      yield { id, parent: root, kind: 0, name: `${word} ${made}` };
    } else {
      const name =
        random(3) === 0
          ? `IMG_${20_100_000 + random(150_000)}_${made}.jpg`
          : `${random(2) ? word : word.toUpperCase()} ${WORDS[random(WORDS.length)]!} ${made}.${extension}`;
      yield { id, parent: folder, kind: 1, name };
    }
  }
}

/** Bytes of the tables and indexes whose names begin so. */
const bytesOf = (file: DatabaseSync, ...begins: string[]): number =>
  begins.reduce((sum, begin) => {
    const row = file.prepare('select sum(pgsize) as bytes from dbstat where name like ?').get(`${begin}%`);
    return sum + Number(row?.['bytes'] ?? 0);
  }, 0);

async function measure(app: TestApp, ann: Member): Promise<void> {
  const port = (app.http.server.address() as AddressInfo).port;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const search = (query: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const path = `/drive/v1/search?q=${encodeURIComponent(query)}`;
      const asked = request({ port, path, agent, headers: ann.headers }, (reply) => {
        if (reply.statusCode !== 200) reject(new Error(`status ${reply.statusCode}`));
        reply.on('data', () => {}).on('end', resolve);
      });
      asked.on('error', reject).end();
    });
  const timed = async (work: () => unknown): Promise<number> => {
    const started = performance.now();
    await work();
    return performance.now() - started;
  };

  const file = new DatabaseSync(join(app.config.DATA_DIR, 'bowerbird.sqlite'), { readOnly: true });
  const all = file.prepare('select id, name from node');
  const reference = median([
    await timed(() => all.all()),
    await timed(() => all.all()),
    await timed(() => all.all()),
  ]);
  const first = await timed(() => search('photo 7'));
  for (const [kind, query] of Object.entries(QUERIES)) {
    const times: number[] = [];
    for (let at = 0; at < TIMES; at++) times.push(await timed(() => search(query(at))));
    const [p50, most] = [median(times), Math.max(...times)];
    console.log(
      `search of ${NAMES} names, ${kind}: p50 ${(p50 / reference).toFixed(4)} times the time of reading all names (${p50.toFixed(1)} ms against ${reference.toFixed(0)} ms), at most ${most.toFixed(1)} ms`,
    );
  }
  const [index, nodes] = [bytesOf(file, 'name_block'), bytesOf(file, 'node', 'sqlite_autoindex_node')];
  console.log(
    `search of ${NAMES} names: ${first.toFixed(0)} ms for the first search of a process; the index takes ${(index / NAMES).toFixed(0)} bytes per name, ${((index / nodes) * 100).toFixed(1)} % of the nodes (${(nodes / NAMES).toFixed(0)} bytes)`,
  );
  file.close();
  agent.destroy();
}

await using app = await openTestApp({ environment: { LOG_LEVEL: 'silent' } });
const ann = await app.signUp('ann');
await growForest(app, ann.id, names(app, ann.id));
await app.database.transaction((tx) => app.jobs.enqueue(tx, 'merge-names', { account: ann.id }));
await app.jobs.drain();
await app.http.listen({ port: 0, host: '127.0.0.1' });
await measure(app, ann);
