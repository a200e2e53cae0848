const PRIMES = firstPrimes(64);
/** First 32 bits of the fractional part of a root. */
const fraction = (root: number): number => ((root % 1) * 2 ** 32) | 0;
const ROUND = Int32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const START = Int32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));
const words = new Int32Array(64);

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number++)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  return primes;
}

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

/**
 * First 32 bits of SHA-256 (FIPS 180-4) of a short ASCII text, at most 55 characters. The browser's own is
 * missing outside secure contexts, and a million calls to it take longer than this takes to run.
 */
export function sha256Head(text: string): number {
  words.fill(0, 0, 16);
  for (let at = 0; at < text.length; at++) words[at >> 2]! |= text.charCodeAt(at) << (24 - (at & 3) * 8);
  words[text.length >> 2]! |= 0x80 << (24 - (text.length & 3) * 8);
  words[15] = text.length * 8;
  for (let at = 16; at < 64; at++) {
    const [early, late] = [words[at - 15]!, words[at - 2]!];
    const small = turn(early, 7) ^ turn(early, 18) ^ (early >>> 3);
    const large = turn(late, 17) ^ turn(late, 19) ^ (late >>> 10);
    words[at] = words[at - 16]! + small + words[at - 7]! + large;
  }
  let [a, b, c, d, e, f, g, h] = START as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let at = 0; at < 64; at++) {
    const sum = h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[at]! + words[at]!;
    const majority = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = (d + sum) | 0;
    d = c;
    c = b;
    b = a;
    a = (sum + majority) | 0;
  }
  return (a + START[0]!) >>> 0;
}
