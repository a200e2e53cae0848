/**
 * Scrolls the chosen item to the middle of a row that is wider than the screen; the page itself doesn't scroll.
 */
export function showChosen(row: HTMLElement | null, chosen: string): void {
  const here = row?.querySelector<HTMLElement>(chosen);
  if (row && here) row.scrollLeft = here.offsetLeft - (row.clientWidth - here.offsetWidth) / 2;
}
