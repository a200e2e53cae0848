import { setTimeout as sleep } from 'node:timers/promises';
import { shareApi, taskApi } from '@bowerbird/contract';
import { openTestApp, plant } from '../server/testing/index.ts';
import { nodesCopiedBySql } from './support/table-copy.ts';

// A member saves a share of 100,000 nodes while others keep opening another share. For comparison, SQLite copies the
// same rows in one statement.

const FILES_PER_FOLDER = 999;
const FOLDERS = 100;

await using app = await openTestApp({ environment: { LOG_LEVEL: 'silent', MEMBER_STORAGE: '1 TB' } });
const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
const ids = await plant(app, ann.id, {
  all: {
    folder: Object.fromEntries(
      Array.from({ length: FILES_PER_FOLDER }, (_, at) => [`file ${at}.txt`, String(at)]),
    ),
  },
  'small.txt': 'x',
});
for (let at = 1; at < FOLDERS; at++) {
  await app.database.transaction(async (tx) => {
    await app.drive.treeCopies.small(tx, {
      task: `bench-${at}`,
      roots: [ids['all/folder']!],
      account: ann.id,
      parent: ids['all']!,
      conflict: 'rename',
      reason: 'copy',
    });
  });
}
const large = await ann.call(shareApi.create, { body: { file_ids: [ids['all']!] } });
const small = await ann.call(shareApi.create, { body: { file_ids: [ids['small.txt']!] } });

const reference = await nodesCopiedBySql(app);
app.jobs.start();
const started = performance.now();
const cpu = process.cpuUsage();
const { restore_task_id: id } = await bob.call(shareApi.restore, {
  body: { share_id: large.share_id, to: {} },
});
const answered = performance.now() - started;
let done = false;
const waits: number[] = [];
const others = (async () => {
  while (!done) {
    const from = performance.now();
    await app.visitor.call(shareApi.open, { query: { share_id: small.share_id } });
    waits.push(performance.now() - from);
    await sleep(1);
  }
})();
for (;;) {
  const task = await bob.call(taskApi.get, { params: { id } });
  if (task.phase === 'PHASE_TYPE_COMPLETE') break;
  if (task.phase === 'PHASE_TYPE_ERROR') throw new Error(task.message);
  await sleep(10);
}
const seconds = (performance.now() - started) / 1000;
const { user, system } = process.cpuUsage(cpu);
done = true;
await others;
const p99 = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)]!;
console.log(
  `restore of ${FOLDERS * (FILES_PER_FOLDER + 1) + 1} nodes: complete in ${((seconds * 1000) / reference).toFixed(1)} times the time of a copy in one SQL statement (${seconds.toFixed(2)} s against ${(reference / 1000).toFixed(2)} s), answered in ${(answered / reference).toFixed(2)} times it (${answered.toFixed(0)} ms); ${((user + system) / 1e6).toFixed(2)} s of CPU, the others' included; opening another share meanwhile p99 ${p99.toFixed(0)} ms (${waits.length} times)`,
);
