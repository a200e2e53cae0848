import { createHash, createHmac } from 'node:crypto';
import type { CodeAudience } from '@bowerbird/contract';
import type { NewBenefit } from '../plan/index.ts';

/** Plan or additional storage that a code grants, for a time. */
export type Gift = Pick<NewBenefit, 'plan' | 'bytes'> & {
  readonly kind: 'plan' | 'storage';
  /** Milliseconds. */
  readonly length: number;
};

/** Codes that were created together and grant the same. */
export interface Batch extends Gift {
  readonly id: string;
  readonly createdAt: number;
  /** Number of codes. */
  readonly count: number;
  /** Number of accounts that can redeem each code. */
  readonly uses: number;
  readonly audience: CodeAudience;
  /** Text for the administrator. */
  readonly note: string;
  readonly startsAt: number;
  /** Undefined if the codes do not expire. */
  readonly endsAt: number | undefined;
}

/** A code as it is stored: without its text, which follows from batch, number and the installation's secret. */
export interface Code {
  readonly digest: string;
  readonly batch: string;
  /** Place in the batch, from 1. */
  readonly number: number;
  readonly usesLeft: number;
}

/** Digits and letters without those that are easily mistaken for another one: B, I, L, O, S, U and Z. */
const LETTERS = '0123456789ACDEFGHJKMNPQRTVWXY';
const LENGTH = 16;
const GROUP = 4;

/** Letters that are read as another one, because they look like it. The last ones are Cyrillic. */
const LOOK_ALIKES: Readonly<Record<string, string>> = {
  ...{ B: '8', I: '1', L: '1', O: '0', S: '5', U: 'V', Z: '2' },
  ...{ А: 'A', В: '8', Е: 'E', З: '3', І: '1', К: 'K', М: 'M', Н: 'H', О: '0', Р: 'P' },
  ...{ С: 'C', Ѕ: '5', Т: 'T', У: 'Y', Х: 'X', Ј: 'J' },
};

/**
 * Reads a code as people type it: in any case, with or without spaces and hyphens, in full-width characters, and with
 * letters that look like the right ones. Returns undefined for what can't be a code.
 */
export function readCode(typed: string): string | undefined {
  const letters = typed
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toUpperCase()
    .replace(/./gu, (letter) => LOOK_ALIKES[letter] ?? letter);
  return letters.length === LENGTH && [...letters].every((letter) => LETTERS.includes(letter))
    ? letters
    : undefined;
}

/** `7H3K-92FA-…`: a code as it is given to people. */
export function writeCode(letters: string): string {
  return letters.match(new RegExp(`.{${GROUP}}`, 'g'))!.join('-');
}

/**
 * Derives the letters of a code from a key of the installation, so that they can be exported at any time although the
 * database only has their digest. They are as hard to guess as 77 random bits.
 */
export function drawCode(key: Uint8Array, batch: string, number: number): string {
  const drawn = createHmac('sha256', key).update(`${batch}/${number}`).digest('hex');
  let rest = BigInt(`0x${drawn}`);
  return Array.from({ length: LENGTH }, () => {
    const letter = LETTERS[Number(rest % BigInt(LETTERS.length))]!;
    rest /= BigInt(LETTERS.length);
    return letter;
  }).join('');
}

/** Digest under which a code is stored. The code has too many possibilities for finding it from its digest. */
export function digestOf(letters: string): string {
  return createHash('sha256').update(letters).digest('base64url');
}

/** Reference of the benefit that a code grants. */
export function referenceOf({ batch, number }: Pick<Code, 'batch' | 'number'>): string {
  return `${batch}/${number}`;
}
