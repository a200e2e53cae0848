/**
 * Returns a function that detects the last of `count` clicks in a row, each within `withinMs` of the previous
 * one.
 */
export function clickBurst(count: number, withinMs: number): (at: number) => boolean {
  let clicks = 0;
  let last = Number.NEGATIVE_INFINITY;
  return (at) => {
    clicks = at - last <= withinMs ? clicks + 1 : 1;
    last = at;
    if (clicks < count) return false;
    clicks = 0;
    return true;
  };
}
