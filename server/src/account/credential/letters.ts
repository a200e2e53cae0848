import { randomBytes } from 'node:crypto';

/** Thirty-two characters that are hard to confuse with each other, because the results are copied by hand. */
const LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';

/** Returns random letters of five bits each. */
export function drawLetters(count: number): string {
  return Array.from(randomBytes(count), (byte) => LETTERS[byte % LETTERS.length]).join('');
}
