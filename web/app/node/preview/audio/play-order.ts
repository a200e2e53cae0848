import type { File } from '@bowerbird/contract';

export type Repeat = 'off' | 'all' | 'one';

/** Songs in the order in which they are played, and the current one. */
export interface PlayOrder {
  readonly queue: readonly File[];
  readonly at: number;
}

/** Repeat settings in the order of their button. */
export const nextRepeat = (repeat: Repeat): Repeat =>
  repeat === 'off' ? 'all' : repeat === 'all' ? 'one' : 'off';

/** Queue in random order that begins with the current song. `random` returns numbers from 0 to 1. */
export function shuffled({ queue, at }: PlayOrder, random: () => number = Math.random): PlayOrder {
  const rest = queue.filter((_, index) => index !== at);
  for (let last = rest.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [rest[last], rest[other]] = [rest[other]!, rest[last]!];
  }
  const current = queue[at];
  return { queue: current ? [current, ...rest] : rest, at: 0 };
}

/** The order of the list again; the current song stays the same. */
export function unshuffled({ queue, at }: PlayOrder, listed: readonly File[]): PlayOrder {
  const id = queue[at]?.id;
  return {
    queue: listed,
    at: Math.max(
      0,
      listed.findIndex((file) => file.id === id),
    ),
  };
}

/** Position of the next or previous song; `undefined` at the ends, unless everything is repeated. */
export function stepped({ queue, at }: PlayOrder, step: 1 | -1, repeat: Repeat): number | undefined {
  const to = at + step;
  if (queue[to]) return to;
  return repeat === 'all' && queue.length > 0 ? (to + queue.length) % queue.length : undefined;
}
