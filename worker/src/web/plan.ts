/** Who fetches which cells: runs that are long at first and short at the end, so that all lanes end together. */
export interface Plan {
  /** The next run of cells that nobody has taken, or undefined. */
  take(): Run | undefined;
  giveBack(cells: readonly number[]): void;
  readonly left: number;
}

export interface Run {
  readonly first: number;
  readonly count: number;
}

/** Runs shorter than `least` are taken only where no longer ones are left. */
export function createPlan(missing: Iterable<number>, lanes: number, least = 1): Plan {
  const free = [...missing].toSorted((one, other) => one - other);
  return {
    get left() {
      return free.length;
    },
    take() {
      const [first] = free;
      if (first === undefined) return undefined;
      // Who is alone needs only one connection.
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
