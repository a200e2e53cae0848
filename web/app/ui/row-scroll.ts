/** Brings what is chosen to the middle of a row that is longer than the screen; the page itself stays where it is. */
export function showChosen(row: HTMLElement | null, chosen: string): void {
  const here = row?.querySelector<HTMLElement>(chosen);
  if (row && here) row.scrollLeft = here.offsetLeft - (row.clientWidth - here.offsetWidth) / 2;
}
