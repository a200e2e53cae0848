import { drawLetters } from './letters.ts';

const COUNT = 10;
const HALF = 5;

/** Ten codes of fifty bits, each good once: short enough to be typed from paper, so what is kept of them is slow to try. */
export function drawRecoveryCodes(): string[] {
  return Array.from({ length: COUNT }, () => `${drawLetters(HALF)}-${drawLetters(HALF)}`);
}

/** A code as it is however somebody types it. */
export const plainRecoveryCode = (code: string): string => code.toLowerCase().replace(/[^a-z0-9]/g, '');
