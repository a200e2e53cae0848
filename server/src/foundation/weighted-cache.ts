/** Values that are remembered by a key until newer ones need their place. */
export interface WeightedCache<Value> {
  get(key: string): Value | undefined;
  /** Replaces the value of the key, if any, and counts as the newest. */
  set(key: string, value: Value): void;
}

/** Remembers the newest values whose weights, in any unit, don't add up to more than `most`. */
export function createWeightedCache<Value>({
  most,
  weightOf,
}: {
  most: number;
  weightOf: (value: Value) => number;
}): WeightedCache<Value> {
  const kept = new Map<string, Value>();
  let weight = 0;

  function forget(key: string): void {
    const known = kept.get(key);
    if (known === undefined) return;
    weight -= weightOf(known);
    kept.delete(key);
  }

  return {
    get: (key) => kept.get(key),
    set(key, value) {
      forget(key);
      kept.set(key, value);
      weight += weightOf(value);
      for (const oldest of kept.keys()) {
        if (weight <= most) break;
        forget(oldest);
      }
    },
  };
}
