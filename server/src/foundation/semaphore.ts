import { ApiFailure } from '@bowerbird/contract';

/** Lets a few do something at once; the others wait for their turn, in the order in which they came. */
export interface Turns {
  /** Waits until it is one's turn; `unavailable` where too many wait already. Whoever took it gives it back. */
  take(): Promise<void>;
  give(): void;
  /** Does something in one's turn. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createTurns({
  atOnce,
  mostWaiting = Infinity,
}: {
  atOnce: number;
  mostWaiting?: number;
}): Turns {
  let taken = 0;
  const waiting: (() => void)[] = [];
  const turns: Turns = {
    async take() {
      if (taken < atOnce) {
        taken += 1;
        return;
      }
      if (waiting.length >= mostWaiting) throw new ApiFailure('unavailable');
      await new Promise<void>((resolve) => waiting.push(resolve));
    },
    give() {
      const next = waiting.shift();
      if (next) next();
      else taken -= 1;
    },
    async run(work) {
      await turns.take();
      try {
        return await work();
      } finally {
        turns.give();
      }
    },
  };
  return turns;
}
