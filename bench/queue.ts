import { setTimeout as sleep } from 'node:timers/promises';
import { accountApi, driveApi, taskApi } from '@bowerbird/contract';
import { LOOPBACK_ALLOWED, openOrigin, PASSWORD, realServer, slowly } from '../server/testing/index.ts';

// A thousand links wait to be fetched, some of them in progress, while members keep listing their drives and tasks.

const TASKS = 1000;
const SECONDS = 15;

await using origin = await openOrigin();
const content = Buffer.alloc(2 * 1024 * 1024, 'x');
await using server = await realServer({ ...LOOPBACK_ALLOWED, LOG_LEVEL: 'silent', OFFLINE_RUNNING: '8' });
await server.start();
const grant = await server.call(accountApi.signUp, {
  body: { email: 'ann@example.org', password: PASSWORD, name: 'Ann' },
});
const token = grant.access_token!;
for (let at = 0; at < TASKS; at++) {
  origin.put(`/${at}.bin`, slowly(content, { everyMs: 60 }));
  await server.call(
    driveApi.create,
    {
      body: {
        kind: 'drive#file',
        upload_type: 'UPLOAD_TYPE_URL',
        folder_type: 'DOWNLOAD',
        url: { url: origin.at(`/${at}.bin`) },
      },
    },
    token,
  );
}

const waits: number[] = [];
const until = Date.now() + SECONDS * 1000;
while (Date.now() < until) {
  for (const ask of [
    () => server.call(driveApi.list, { query: { parent_id: '' } }, token),
    () => server.call(taskApi.list, { query: { type: 'offline', limit: 100 } }, token),
  ]) {
    const from = performance.now();
    await ask();
    waits.push(performance.now() - from);
  }
  await sleep(5);
}
const { counts } = await server.call(taskApi.count, { query: { type: 'offline' } }, token);
const p99 = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)]!;
console.log(
  `${TASKS} links in the queue: p99 ${p99.toFixed(1)} ms of ${waits.length} listings meanwhile (${counts['PHASE_TYPE_COMPLETE'] ?? 0} were fetched, ${counts['PHASE_TYPE_RUNNING'] ?? 0} ran at the end)`,
);
