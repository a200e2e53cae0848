import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bytes, openOrigin } from '../server/testing/index.ts';
import type { Counts, Run, Say, Scene } from './client.ts';
import { startProxy } from './proxy.ts';
import { startServer } from './server.ts';

/** Longer than the lifetime of anything that `short-lives.ts` shortens. */
const PAUSE_SECONDS = 35;

export interface Figures extends Counts {
  readonly pauses: number;
  readonly failures: readonly string[];
}

/** Runs a client against its own server, and counts its operations. */
export async function play(run: Run, say: Say): Promise<Figures> {
  await using server = await startServer();
  await using proxy = await startProxy(server.folder, server);
  await using source = await openOrigin();
  source.put('/feather.bin', bytes(Buffer.alloc(300_000, 'feather')));
  const folder = join(server.folder, 'client');
  await mkdir(folder);
  const [person, other] = server.people;
  const figures = { passed: 0, failed: 0, skipped: 0, pauses: 0 };
  const failures: string[] = [];
  let current = 'start';

  const scene: Scene = {
    ...{ server, origin: server.origin, person, other, proxy, source, folder, say },
    async step(name, work) {
      current = name;
      say(`  ${name}`);
      const result = await work();
      figures.passed += 1;
      return result;
    },
    count(suite, { passed, failed, skipped }, named) {
      figures.passed += passed;
      figures.failed += failed;
      figures.skipped += skipped;
      failures.push(...named.map((name) => `${suite}: ${name}`));
      say(`  ${suite}: ${passed} passed, ${failed} failed, ${skipped} skipped`);
    },
    async pause() {
      say(`  pause of ${PAUSE_SECONDS} seconds`);
      await sleep(PAUSE_SECONDS * 1000);
      figures.pauses += 1;
    },
  };
  try {
    await run(scene);
    if (figures.pauses === 0) throw new Error('the client never paused');
  } catch (error) {
    figures.failed += 1;
    failures.push(`${current}: ${(error as Error).message}`);
    say(`  FAILED ${failures.at(-1)}`);
  }
  return { ...figures, failures };
}
