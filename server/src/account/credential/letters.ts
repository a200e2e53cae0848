import { randomBytes } from 'node:crypto';

/** Thirty-two letters of which none is misread for another: what is drawn of them is copied by hand. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Random letters of five bits each. */
export function drawLetters(count: number): string {
  return Array.from(randomBytes(count), (byte) => LETTERS[byte % LETTERS.length]).join('');
}
