import { prove, type Task } from './proof.ts';
import type { Said } from './proof-worker.ts';

export interface Working {
  readonly signal: AbortSignal;
  /** Receives the progress as a fraction of 1. */
  readonly onProgress: (done: number) => void;
}

/** Computes the answers in a worker. Rejects if the browser doesn't allow workers. */
export function workBeside(task: Task, { signal, onProgress }: Working): Promise<readonly number[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('./proof-worker.ts', import.meta.url), { type: 'module' });
    const stop = (): void => {
      worker.terminate();
      reject(signal.reason as Error);
    };
    signal.addEventListener('abort', stop, { once: true });
    worker.addEventListener('error', () => {
      worker.terminate();
      reject(new Error('the worker failed to start'));
    });
    worker.addEventListener('message', ({ data }: MessageEvent<Said>) => {
      if ('done' in data) return onProgress(data.done);
      worker.terminate();
      signal.removeEventListener('abort', stop);
      resolve(data.answers);
    });
    worker.postMessage(task);
  });
}

const SLICE_MS = 10;

/**
 * Computes the same in the page itself, in slices between which the page responds: slower, but available
 * everywhere.
 */
export async function workHere(task: Task, { signal, onProgress }: Working): Promise<readonly number[]> {
  const work = prove(task);
  for (;;) {
    const until = performance.now() + SLICE_MS;
    while (performance.now() < until) {
      const step = work.next();
      if (step.done) return step.value;
      onProgress(step.value.done);
    }
    await new Promise((resolve) => setTimeout(resolve));
    signal.throwIfAborted();
  }
}
