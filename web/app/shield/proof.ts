import { sha256Head } from './sha256.ts';

/**
 * Task of a challenge: for each round, find a number whose digest starts with the given number of zero bits.
 */
export interface Task {
  readonly id: string;
  readonly rounds: number;
  readonly bits: number;
}

const STEP = 2000;

/**
 * Computes in small steps: each iteration does some of the work and yields the progress; the last one returns
 * the answers.
 */
export function* prove({ id, rounds, bits }: Task): Generator<{ done: number }, number[]> {
  const answers: number[] = [];
  const expected = 2 ** bits;
  for (let round = 0; round < rounds; round++) {
    for (let number = 0; ; number++) {
      if (sha256Head(`${id}.${round}.${number}`) >>> (32 - bits) === 0) {
        answers.push(number);
        break;
      }
      // A round may take arbitrarily long, so its estimated rest shrinks, but never reaches zero.
      if (number % STEP === STEP - 1) yield { done: (round + 1 - Math.exp(-number / expected)) / rounds };
    }
    yield { done: (round + 1) / rounds };
  }
  return answers;
}
