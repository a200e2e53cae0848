import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { installation, memoryOf } from './support/product.ts';

// Memory of all processes of `npm start` at rest: after the start, and after each kind of page was requested once. For
// comparison, a Node that does nothing.

const REST_MS = 20_000;
const PAGES = ['/', '/ru', '/drive/login', '/sign-up', '/s/unknown', '/openapi.json'];
await using place = await installation();

const idle = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)'], {
  env: place.env,
  stdio: 'ignore',
});
const product = await place.start('npm', ['start']);
try {
  await sleep(REST_MS);
  await report('after the start');
  for (const path of PAGES) await (await fetch(product.address + path)).text();
  await sleep(REST_MS);
  await report('after pages were requested');
} finally {
  await product.stop();
  idle.kill();
}

async function report(when: string): Promise<void> {
  const { resident, proportional } = await memoryOf(product.pid);
  const reference = await memoryOf(idle.pid!);
  console.log(
    `memory ${when}: ${(resident / reference.resident).toFixed(1)} times an idle Node (${resident.toFixed(0)} MB resident against ${reference.resident.toFixed(0)} MB; ${proportional.toFixed(0)} MB if shared pages are divided)`,
  );
}
