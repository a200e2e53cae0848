/** Removes absolute and parent segments, so that the remaining path stays inside its destination folder. */
export function segmentsOf(name: string): string[] {
  return name
    .replace(/^[A-Za-z]:(?=[/\\])/, '')
    .split(/[/\\]/)
    .filter((segment) => segment !== '' && segment !== '.' && segment !== '..');
}
