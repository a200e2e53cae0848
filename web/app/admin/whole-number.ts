/** Reads a whole number from 1 to `most` as it was typed; undefined for anything else. */
export function wholeNumber(typed: string, most: number): number | undefined {
  const number = typed.trim() === '' ? Number.NaN : Number(typed.trim());
  return Number.isInteger(number) && number >= 1 && number <= most ? number : undefined;
}
