import { Worker } from 'node:worker_threads';
import type { UnpackOrder } from '@bowerbird/contract';

/** Exit code of a process whose engine fell over. */
const FELL_OVER = 70;
const MOST_HEAP_MB = 64;

/**
 * The process in which strangers' archives are read, for one run of the engine. The engine computes in a thread, so
 * that this one hears at once when its parent is gone.
 */
export async function start(): Promise<void> {
  process.once('message', (order: UnpackOrder) => {
    const engine = new Worker(new URL('./engine.ts', import.meta.url), {
      workerData: order,
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
    });
    engine.once('error', (error: unknown) => {
      // The engine's own exceptions are numbers, and say nothing.
      if (error instanceof Error) process.stderr.write(`${String(error)}\n`);
      process.exit(FELL_OVER);
    });
    engine.once('exit', () => process.exit());
  });
  process.send?.('ready');
}
