import { drawLetters } from './letters.ts';

const COUNT = 10;
const HALF = 5;

/**
 * Returns ten single-use codes of fifty bits each: short enough to be typed from paper, so their stored hashes
 * are slow to compute.
 */
export function drawRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => `${drawLetters(HALF)}-${drawLetters(HALF)}`);
}

/** Normalizes a code, however it is typed. */
export const plainRecoveryCode = (code: string): string => code.toLowerCase().replace(/[^a-z0-9]/g, '');
