import { Worker } from 'node:worker_threads';
import type { UnpackOrder } from '@bowerbird/contract';

/** Exit code after a crash of the engine. */
const FELL_OVER = 70;
const MOST_HEAP_MB = 64;

/**
 * Starts the process that reads untrusted archives, for one run of the engine. The engine runs in a thread, so that the
 * main thread notices at once when its parent is gone.
 */
export async function start(): Promise<void> {
  process.once('message', (order: UnpackOrder) => {
    const engine = new Worker(new URL('./engine.ts', import.meta.url), {
      workerData: order,
      resourceLimits: { maxOldGenerationSizeMb: MOST_HEAP_MB },
    });
    engine.once('error', (error: unknown) => {
      // Exceptions of the engine itself are meaningless numbers.
      if (error instanceof Error) process.stderr.write(`${String(error)}\n`);
      process.exit(FELL_OVER);
    });
    engine.once('exit', () => process.exit());
  });
  process.send?.('ready');
}
