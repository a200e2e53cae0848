/** Who fetches which parts: runs that are long at first and short at the end, so that all lanes end together. */
export interface Plan {
  /** The next run of parts that nobody has taken, or undefined. Numbers of parts start at 1. */
  take(): Run | undefined;
  giveBack(run: Run): void;
  readonly left: number;
}

export interface Run {
  readonly first: number;
  readonly count: number;
}

export function createPlan(missing: Iterable<number>, lanes: number): Plan {
  const free = [...missing].toSorted((one, other) => one - other);
  return {
    get left() {
      return free.length;
    },
    take() {
      const [first] = free;
      if (first === undefined) return undefined;
      // Who is alone needs only one connection.
      const most = lanes === 1 ? free.length : Math.ceil(free.length / (2 * lanes));
      let count = 1;
      while (count < most && free[count] === first + count) count += 1;
      free.splice(0, count);
      return { first, count };
    },
    giveBack({ first, count }) {
      free.push(...Array.from({ length: count }, (_, at) => first + at));
      free.sort((one, other) => one - other);
    },
  };
}
