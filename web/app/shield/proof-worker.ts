import { prove, type Task } from './proof.ts';

/** Messages from the worker: progress, then the answers. */
export type Said = { readonly done: number } | { readonly answers: readonly number[] };

const say = (said: Said): void => postMessage(said);

addEventListener('message', ({ data }: MessageEvent<Task>) => {
  const work = prove(data);
  for (;;) {
    const step = work.next();
    if (step.done) return say({ answers: step.value });
    say(step.value);
  }
});
