import { hash, verify } from '@node-rs/argon2';
import { ApiFailure } from '@bowerbird/contract';

/** Hashes of passwords: argon2id, a few at a time. */
export interface PasswordHashing {
  hash(password: string): Promise<string>;
  /** Compares with `known`; where there is none, takes the time of a comparison and says no. */
  matches(known: string | undefined, password: string): Promise<boolean>;
}

// Argon2id, 19 MiB, two passes, one lane: what OWASP advises where memory counts.
const ARGON2ID = 2;
const STRENGTH = { algorithm: ARGON2ID, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };
/** Each takes a thread of the pool that files and DNS need too. */
const AT_ONCE = 2;
/** Whoever would wait longer than some seconds is told to come again. */
const WAITING_MOST = 100;

export function createPasswordHashing(strength = STRENGTH): PasswordHashing {
  let running = 0;
  const waiting: (() => void)[] = [];

  async function inTurn<R>(work: () => Promise<R>): Promise<R> {
    if (running >= AT_ONCE) {
      if (waiting.length >= WAITING_MOST) throw new ApiFailure('unavailable');
      await new Promise<void>((resolve) => waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  }

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
  };
}
