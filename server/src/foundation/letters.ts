import { randomInt } from 'node:crypto';

/** Lower-case letters and digits that are hard to misread, spoken or written. */
export const CLEAR_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789';

/** Draws letters at random, for codes that people type. By default, nobody can foresee them. */
export function drawLetters(
  letters: string,
  length: number,
  random: (below: number) => number = randomInt,
): string {
  return Array.from({ length }, () => letters[random(letters.length)]!).join('');
}
