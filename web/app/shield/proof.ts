import { sha256Head } from './sha256.ts';

/** What is to be worked out: for each round a number whose digest begins with so many zero bits. */
export interface Task {
  readonly id: string;
  readonly rounds: number;
  readonly bits: number;
}

const STEP = 2000;

/** Works in small pieces: each look at it does some, and tells how far it is; the last gives the answers. */
export function* prove({ id, rounds, bits }: Task): Generator<{ done: number }, number[]> {
  const answers: number[] = [];
  const expected = 2 ** bits;
  for (let round = 0; round < rounds; round++) {
    for (let number = 0; ; number++) {
      if (sha256Head(`${id}.${round}.${number}`) >>> (32 - bits) === 0) {
        answers.push(number);
        break;
      }
      // Luck has no end; what is left of a round shrinks, but never to nothing.
      if (number % STEP === STEP - 1) yield { done: (round + 1 - Math.exp(-number / expected)) / rounds };
    }
    yield { done: (round + 1) / rounds };
  }
  return answers;
}
