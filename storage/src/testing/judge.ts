import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { judgeHolding } from './holding.ts';
import { judgeKeeping } from './keeping.ts';
import { judgeKilling } from './killing.ts';
import { judgeReading } from './reading.ts';
import { createScene } from './scene.ts';
import { judgeStaging } from './staging.ts';
import { judgeVanishing } from './vanishing.ts';
import type { Ground } from './scene.ts';

/**
 * Tests an engine against blob-store.ts. `durable` is what the engine should claim, and whether it is tested with
 * kills.
 */
export function judge(name: string, durable: boolean, prepare: () => Promise<Ground>): void {
  describe(name, () => {
    const scene = createScene();
    beforeAll(async () => {
      scene.ground = await prepare();
      scene.store = await scene.ground.open();
    }, 60_000);
    afterAll(async () => {
      await scene.store?.close();
      await scene.ground?.clear();
    });

    test('the storage reports its state', async () => {
      expect(scene.store.capabilities.durable).toBe(durable);
      await scene.store.health();
      const free = await scene.store.freeSpace();
      if (free !== null) expect(free).toBeGreaterThan(0);
    });
    judgeStaging(scene);
    judgeKeeping(scene);
    judgeReading(scene);
    judgeHolding(scene);
    // Other engines don't outlive their process, so their storage can't disappear independently either.
    if (durable) judgeKilling(scene);
    if (durable) judgeVanishing(scene);
  });
}
