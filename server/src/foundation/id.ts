import { randomFillSync } from 'node:crypto';
import type { Clock } from './clock.ts';

/** Crockford's alphabet: no I, L, O, U; sorted by value. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const RANDOM_CHARACTERS = 16;
/** Last time that nine digits can express. */
const LAST_TIME = 32 ** 9 - 1;

export interface Ids {
  /**
   * Returns 26 URL-safe characters: `V`, nine of time, sixteen of randomness (80 bits). Ids sort by time, and
   * by creation within a millisecond.
   */
  next(): string;
  /**
   * Returns 27 URL-safe characters, `V` and 130 random bits, without a time: for ids that must not be guessed
   * or dated.
   */
  secret(): string;
}

/** Random bytes are drawn in advance: a draw takes as long for many of them as for few. */
const DRAWN = 4096;

function pooledRandom(): (bytes: Uint8Array) => void {
  const pool = new Uint8Array(DRAWN);
  let used = DRAWN;
  return (bytes) => {
    if (used + bytes.length > DRAWN) {
      randomFillSync(pool);
      used = 0;
    }
    bytes.set(pool.subarray(used, used + bytes.length));
    // Used bytes are erased, so that no secret stays in the pool.
    pool.fill(0, used, used + bytes.length);
    used += bytes.length;
  };
}

export function createIds(clock: Clock, fill: (bytes: Uint8Array) => void = pooledRandom()): Ids {
  let lastTime = 0;
  let last: Uint8Array = new Uint8Array(RANDOM_CHARACTERS);
  const draw = (count: number): Uint8Array => {
    const bytes = new Uint8Array(count);
    fill(bytes);
    return bytes.map((byte) => byte & 31);
  };
  /** Text of the last id without its last character: the same for up to 32 ids in a row. */
  let stem = '';
  const text = (digits: Uint8Array): string => {
    let written = '';
    for (const digit of digits) written += ALPHABET[digit]!;
    return written;
  };

  return {
    next() {
      const now = clock.now();
      if (now > lastTime) {
        lastTime = now;
        last = draw(RANDOM_CHARACTERS);
        last[0]! &= 15; // room to count up within this millisecond
        stem = '';
      } else if (increment(last)) {
        stem = '';
      }
      if (stem === '') stem = `V${timeDigits(lastTime)}${text(last.subarray(0, -1))}`;
      return stem + ALPHABET[last.at(-1)!]!;
    },
    secret: () => `V${text(draw(26))}`,
  };
}

/** Returns a text that sorts before all ids of a time or later, in milliseconds, and after all earlier ones. */
export function firstIdAt(time: number): string {
  return `V${timeDigits(Math.min(Math.max(Math.ceil(time), 0), LAST_TIME))}`;
}

/** Counts up; returns true if more than the last digit changed. */
function increment(digits: Uint8Array): boolean {
  for (let at = digits.length - 1; at >= 0; at--) {
    if (digits[at]! < 31) {
      digits[at]! += 1;
      return at < digits.length - 1;
    }
    digits[at] = 0;
  }
  return true;
}

function timeDigits(time: number): string {
  let rest = time;
  let text = '';
  for (let at = 0; at < 9; at++) {
    text = ALPHABET[rest % 32]! + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}
