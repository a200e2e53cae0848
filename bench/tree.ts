import { setTimeout as sleep } from 'node:timers/promises';
import { driveApi, taskApi } from '@bowerbird/contract';
import { forest, growForest, openTestApp, plant } from '../server/testing/index.ts';
import { nodesCopiedBySql } from './support/table-copy.ts';

// A member moves, trashes and copies a folder of 100,000 nodes while others list a folder. For comparison, SQLite
// copies the same rows in one statement.

const NODES = 100_000;
await using app = await openTestApp({ environment: { LOG_LEVEL: 'silent', MEMBER_STORAGE: '1 TB' } });
const ann = await app.signUp('ann');
const { d, to, ...ids } = await plant(app, ann.id, { d: {}, to: {}, from: { empty: {} } });
await growForest(app, ann.id, forest(app.ids, d!, NODES));
const reference = await nodesCopiedBySql(app);

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};
// Moved once before it's measured: the statements are compiled then.
const move = (id: string, parent: string) =>
  ann.call(driveApi.move, { body: { ids: [id], to: { parent_id: parent } } });
await move(ids['from/empty']!, to!);
await move(ids['from/empty']!, ids['from']!);
const movedEmpty = await timed(() => move(ids['from/empty']!, to!));
const moved = await timed(() => move(d!, to!));
const { file_count: files = 0, folder_count: folders = 0 } = await ann.call(driveApi.get, {
  params: { id: to! },
  query: {},
});
if (files + folders !== NODES + 2) throw new Error(`the folder says ${files} files and ${folders} folders`);
console.log(
  `folder sizes after moving ${NODES} nodes: right in ${(moved / movedEmpty).toFixed(1)} times the time of moving an empty folder (${moved.toFixed(1)} ms against ${movedEmpty.toFixed(1)} ms)`,
);
const trashed = await timed(() => ann.call(driveApi.trash, { body: { ids: [d!] } }));
const restored = await timed(() => ann.call(driveApi.untrash, { body: { ids: [d!] } }));

app.jobs.start();
let done = false;
const waits: number[] = [];
const others = (async () => {
  while (!done) {
    waits.push(await timed(() => ann.call(driveApi.list, { query: { parent_id: to! } })));
    await sleep(2);
  }
})();
const copied = await timed(async () => {
  const { task_id: id } = await ann.call(driveApi.copy, { body: { ids: [d!], to: {} } });
  for (;;) {
    const task = await ann.call(taskApi.get, { params: { id } });
    if (task.phase === 'PHASE_TYPE_COMPLETE') return;
    if (task.phase === 'PHASE_TYPE_ERROR') throw new Error(task.message);
    await sleep(20);
  }
});
done = true;
await others;
const removed = await timed(() => ann.call(driveApi.remove, { params: { id: d! } }));
const p99 = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)]!;
console.log(
  `folder of ${NODES} nodes: moved in ${moved.toFixed(1)} ms, trashed in ${trashed.toFixed(1)} ms, back in ${restored.toFixed(1)} ms, deleted in ${removed.toFixed(1)} ms; copied in ${(copied / reference).toFixed(1)} times the time of a copy in one SQL statement (${(copied / 1000).toFixed(2)} s against ${(reference / 1000).toFixed(2)} s) while others list at p99 ${p99.toFixed(0)} ms (${waits.length} times)`,
);
