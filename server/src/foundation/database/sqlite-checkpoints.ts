import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';

/** Size of the write-ahead log from which a thread checkpoints it. */
const LARGE_LOG = 12 * 1024 * 1024;
/** Pause after a thread that failed, or found that another process does its work. */
const REST_MS = 10_000;

export interface Checkpoints {
  /** Records a commit. */
  committed(): void;
  close(): Promise<void>;
}

/**
 * Checkpoints the write-ahead log outside of the main thread: writes and flushes take a tenth of a second
 * each, during which no request would be answered. The thread runs while there is much to checkpoint.
 */
export function createCheckpoints(file: string): Checkpoints {
  let thread: Worker | undefined;
  let restUntil = 0;

  function start(): void {
    const started = new Worker(new URL('./sqlite-checkpoint-thread.ts', import.meta.url), {
      workerData: file,
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 4 },
    });
    started.unref();
    const gone = (): void => {
      if (thread === started) thread = undefined;
    };
    // If it fails (the disk may be full), the writer checkpoints at its own, much larger limit.
    started.on('error', () => {
      restUntil = performance.now() + REST_MS;
      gone();
    });
    started.on('exit', (code) => {
      if (code !== 0) restUntil = performance.now() + REST_MS;
      gone();
    });
    thread = started;
  }

  return {
    committed() {
      if (thread || performance.now() < restUntil) return;
      try {
        if ((statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0) > LARGE_LOG) start();
      } catch {
        // The commit is durable even if the log can't be inspected or a thread can't be started.
        restUntil = performance.now() + REST_MS;
      }
    },
    async close() {
      const ending = thread;
      thread = undefined;
      await ending?.terminate();
    },
  };
}
