import type { Run } from './client.ts';
import { CLIENTS } from './clients/index.ts';
import { play } from './scene.ts';

// Runs real clients, each against its own server: all that this machine has or can install. Names on the command line
// select some of them.

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !Object.hasOwn(CLIENTS, name));
if (unknown.length > 0) {
  say(`unknown client ${unknown.join(', ')}. Available clients: ${Object.keys(CLIENTS).join(', ')}`);
  process.exit(2);
}

const asOneStep =
  (standIn: Run): Run =>
  (scene) =>
    scene.step('what it would ask', () => standIn(scene));

const lines: string[] = [];
let failed = 0;
let ran = 0;
for (const [name, client] of Object.entries(CLIENTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  say(`${client.title} (${name})`);
  const found = await client.ready(say);
  const isAbsent = 'absent' in found;
  if (isAbsent) lines.push(`skipped  ${client.title}: ${found.absent}`);
  const run = isAbsent ? found.standIn && asOneStep(found.standIn) : found.run;
  if (!run) continue;
  const start = Date.now();
  const figures = await play(run, say);
  const seconds = Math.round((Date.now() - start) / 1000);
  ran += 1;
  failed += figures.failed;
  lines.push(
    `${figures.failed === 0 ? 'passed ' : 'FAILED '}  ${client.title} ${isAbsent ? '(stand-in)' : found.version}: ` +
      `${figures.passed} passed, ${figures.failed} failed, ${figures.skipped} skipped, ` +
      `${figures.pauses} ${figures.pauses === 1 ? 'pause' : 'pauses'}, ${seconds} s`,
    ...figures.failures.map((failure) => `         ${failure}`),
  );
}

for (const line of lines) say(line);
process.exitCode = ran > 0 && failed === 0 ? 0 : 1;
