import { hash, hashRaw, verify } from '@node-rs/argon2';
import { createSemaphore } from '../../foundation/index.ts';

/** Hashes passwords with argon2id, a few at a time. */
export interface PasswordHashing {
  hash(password: string): Promise<string>;
  /** Compares with `known`; without it, takes the time of a comparison and returns false. */
  matches(known: string | undefined, password: string): Promise<boolean>;
  /** Derives bytes from a text and a salt, as slowly as a password is hashed. */
  stretch(text: string, salt: Buffer): Promise<Buffer>;
}

// Argon2id, 19 MiB, two passes, one lane: the OWASP recommendation for limited memory.
const ARGON2ID = 2;
const STRENGTH = { algorithm: ARGON2ID, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };
/** Each hash occupies a thread of the pool that file access and DNS lookups use as well. */
const AT_ONCE = 2;
/** Limits the wait to a few seconds; further callers get `unavailable`. */
const WAITING_MOST = 100;

/** Hashes of another strength still match: each contains its own. */
export function createPasswordHashing(weaker: Partial<typeof STRENGTH> = {}): PasswordHashing {
  const strength = { ...STRENGTH, ...weaker };
  const { run: limited } = createSemaphore({ atOnce: AT_ONCE, mostWaiting: WAITING_MOST });

  /** Normalizes a password, because keyboards compose letters differently. */
  const bytes = (password: string): Buffer => Buffer.from(password.normalize('NFC'), 'utf8');
  /** Hash of this strength that matches no password. */
  const nobodys = `$argon2id$v=19$m=${strength.memoryCost},t=${strength.timeCost},p=${strength.parallelism}$${'A'.repeat(22)}$${'A'.repeat(43)}`;

  return {
    hash: (password) => limited(() => hash(bytes(password), strength)),
    async matches(known, password) {
      if (known !== undefined) return limited(() => verify(known, bytes(password)));
      await limited(() => verify(nobodys, bytes(password)));
      return false;
    },
    stretch: (text, salt) => limited(() => hashRaw(bytes(text), { ...strength, salt })),
  };
}
