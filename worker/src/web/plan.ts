/** Distributes cells among lanes: runs are long at first and short at the end, so that all lanes end together. */
export interface Plan {
  /** Returns the next free run of cells, or undefined. */
  take(): Run | undefined;
  giveBack(cells: readonly number[]): void;
  readonly left: number;
}

export interface Run {
  readonly first: number;
  readonly count: number;
}

/** Creates a plan. Runs shorter than `least` are only taken if no longer ones are left. */
export function createPlan(missing: Iterable<number>, lanes: number, least = 1): Plan {
  const free = [...missing].toSorted((one, other) => one - other);
  return {
    get left() {
      return free.length;
    },
    take() {
      const [first] = free;
      if (first === undefined) return undefined;
      // A single lane takes everything in one run, to need only one request.
      const most = lanes === 1 ? free.length : Math.max(least, Math.ceil(free.length / (2 * lanes)));
      let count = 1;
      while (count < most && free[count] === first + count) count += 1;
      free.splice(0, count);
      return { first, count };
    },
    giveBack(cells) {
      free.push(...cells);
      free.sort((one, other) => one - other);
    },
  };
}
