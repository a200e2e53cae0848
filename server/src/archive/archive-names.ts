/** What leads nowhere or upwards is left out: what remains stays inside of wherever it is put. */
export function segmentsOf(name: string): string[] {
  return name
    .replace(/^[A-Za-z]:(?=[/\\])/, '')
    .split(/[/\\]/)
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..');
}
