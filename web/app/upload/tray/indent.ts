const MOST_STEPS = 6;

/** Left padding of a row in pixels, by the number of opened folders above it. */
export function indentOf(depth: number): number {
  return 16 + Math.min(depth, MOST_STEPS) * 20;
}
