import { driveApi, taskApi, type Renaming } from '@bowerbird/contract';
import { growForest, openTestApp, plant } from '../server/testing/index.ts';

// A member renames 10,000 files of a folder in one operation, and takes it back, while others list a folder. For
// comparison, single files are renamed one after the other.

const FILES = 10_000;
const SINGLE = 200;
const ROUNDS = 5;
await using app = await openTestApp({ environment: { LOG_LEVEL: 'silent', MEMBER_STORAGE: '1 TB' } });
const ann = await app.signUp('ann');
const { d } = await plant(app, ann.id, { d: {} });
const saplings = Array.from({ length: FILES }, (_, at) => ({
  id: app.ids.next(),
  parent: d!,
  kind: 1 as const,
  name: `IMG_${at}.JPG`,
}));
await growForest(app, ann.id, saplings);
app.jobs.start();

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const started = performance.now();
  await work();
  return performance.now() - started;
};
const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!;

async function rename(renames: readonly Renaming[]): Promise<void> {
  const { task_id: id } = await ann.call(driveApi.renameMany, {
    body: { parent_id: d!, renames: [...renames] },
  });
  for (;;) {
    const { phase, params } = await ann.call(taskApi.get, { params: { id } });
    if (phase === 'PHASE_TYPE_COMPLETE') {
      if (params['failed_count'] !== '0') throw new Error(`${params['failed_count']} failed`);
      return;
    }
    if (phase === 'PHASE_TYPE_ERROR') throw new Error('the task failed');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const there = saplings.map(({ id, name }, at) => ({ id, from: name, to: `Holiday ${at + 1}.jpg` }));
const back = there.map(({ id, from, to }) => ({ id, from: to, to: from }));
const many: number[] = [];
const one: number[] = [];
let isDone = false;
const waits: number[] = [];
const others = (async () => {
  while (!isDone) {
    waits.push(await timed(() => ann.call(driveApi.list, { query: { parent_id: d!, limit: 1 } })));
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
})();
for (let round = 0; round < ROUNDS; round++) {
  many.push(await timed(() => rename(there)), await timed(() => rename(back)));
  for (const { id, name } of saplings.slice(round * SINGLE, (round + 1) * SINGLE))
    one.push(
      await timed(() => ann.call(driveApi.rename, { params: { id }, body: { name: `x${name}` } })),
      await timed(() => ann.call(driveApi.rename, { params: { id }, body: { name } })),
    );
}
isDone = true;
await others;
const p99 = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)]!;
console.log(
  `renaming ${FILES} files: ${(median(many) / median(one)).toFixed(0)} times the time of one (${(median(many) / 1000).toFixed(2)} s against ${median(one).toFixed(2)} ms), while others list at p99 ${p99.toFixed(0)} ms`,
);
