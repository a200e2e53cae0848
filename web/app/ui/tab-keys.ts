/**
 * Returns the tab of `count` that a key moves to from the one at `here`: arrow keys wrap around, Home and End
 * move to either end.
 */
export function tabAfter(key: string, here: number, count: number): number | undefined {
  switch (key) {
    case 'ArrowRight':
      return (here + 1) % count;
    case 'ArrowLeft':
      return (here - 1 + count) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return undefined;
  }
}
