import { hash, hashRaw, verify } from '@node-rs/argon2';
import { createTurns } from '../foundation/index.ts';

/** Hashes of passwords: argon2id, a few at a time. */
export interface PasswordHashing {
  hash(password: string): Promise<string>;
  /** Compares with `known`; where there is none, takes the time of a comparison and says no. */
  matches(known: string | undefined, password: string): Promise<boolean>;
  /** The same bytes for the same text and salt, as slowly as a password is hashed. */
  stretch(text: string, salt: Buffer): Promise<Buffer>;
}

// Argon2id, 19 MiB, two passes, one lane: what OWASP advises where memory counts.
const ARGON2ID = 2;
const STRENGTH = { algorithm: ARGON2ID, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };
/** Each takes a thread of the pool that files and DNS need too. */
const AT_ONCE = 2;
/** Whoever would wait longer than some seconds is told to come again. */
const WAITING_MOST = 100;

export function createPasswordHashing(strength = STRENGTH): PasswordHashing {
  const { run: inTurn } = createTurns({ atOnce: AT_ONCE, mostWaiting: WAITING_MOST });

  /** One password is the same bytes however a keyboard composes its letters. */
  const bytes = (password: string): Buffer => Buffer.from(password.normalize('NFC'), 'utf8');
  /** A hash of this strength that no password has. */
  const nobodys = `$argon2id$v=19$m=${strength.memoryCost},t=${strength.timeCost},p=${strength.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

  return {
    hash: (password) => inTurn(() => hash(bytes(password), strength)),
    async matches(known, password) {
      if (known !== undefined) return inTurn(() => verify(known, bytes(password)));
      await inTurn(() => verify(nobodys, bytes(password)));
      return false;
    },
    stretch: (text, salt) => inTurn(() => hashRaw(bytes(text), { ...strength, salt })),
  };
}
