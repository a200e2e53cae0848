/** Tells of each click whether it is the last of so many in a row, none of them later than so many ms after the one before. */
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
