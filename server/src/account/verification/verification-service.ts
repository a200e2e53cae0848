import { createHash, randomInt } from 'node:crypto';
import { ApiFailure, type Locale } from '@bowerbird/contract';
import type { Database, Tx } from '../../foundation/database/index.ts';
import type { Clock, Ids, Keys } from '../../foundation/index.ts';
import type { Guard } from '../../shield/index.ts';
import type { CodeMails } from './code-mail-service.ts';
import type { Recipient } from './recipient.ts';
import type { Texting } from './texting-service.ts';
import type { Usage, Words } from './verification.ts';
import type { VerificationStore } from './verification-store.ts';

/** Codes by mail or text message that prove the ownership of an address or a phone. */
export interface Verifications {
  send(request: {
    to: Recipient;
    usage: Usage;
    /** Text of the mail. */
    words: Words;
    /**
     * True if no account has the number: nothing is sent, because a message costs money, but the response is
     * the same.
     */
    isIdle?: boolean;
    locale: Locale;
    address: string;
    /** Known browser of the account with this address; strangers can't delay its requests. */
    browser?: string | undefined;
  }): Promise<{
    id: string;
    retryIn: number;
    expiresIn: number;
  }>;
  /** Finds the target and usage of a code that was sent; undefined for unknown ids. */
  find(id: string): Promise<{ target: string; usage: string } | undefined>;
  /** Exchanges a code for the proof. */
  check(id: string, code: string): Promise<{ token: string; expiresIn: number }>;
  /** Throws `verification_code_expired` if a proof does not belong to this key of an address, or was used. */
  require(key: string, usage: Usage, proof: string | undefined): Promise<void>;
  /** Uses up the proof, in the transaction of the action that it authorizes. */
  use(tx: Tx, key: string, usage: Usage, proof: string | undefined): Promise<void>;
  /** Returns a proof for somebody whom an administrator vouches for, without sending mail. */
  vouch(key: string, usage: Usage, seconds: number): Promise<string>;
  /** Returns the key of the address that a proof verifies; throws `verification_code_expired` for invalid proofs. */
  provenBy(usage: Usage, proof: string): Promise<string>;
  forgetOld(): Promise<void>;
}

const CODE_SECONDS = 600;
const PROOF_SECONDS = 1800;
const ATTEMPTS = 5;
const DAY_MS = 24 * 3600 * 1000;

interface Parts {
  database: Database;
  store: VerificationStore;
  mails: CodeMails;
  texting: Texting;
  guard: Guard;
  /** Counter for requests from a browser of the account's owner. */
  browsers: Guard;
  keys: Keys;
  clock: Clock;
  ids: Ids;
  /** Returns an integer from 0 up to, but excluding, `below`. */
  draw?: (below: number) => number;
}

export function createVerifications(parts: Parts): Verifications {
  const { database, store, mails, texting, guard, browsers, keys, clock, ids, draw = randomInt } = parts;
  const codeHash = (id: string, code: string): string => keys.sign('verification-code', `${id} ${code}`);
  const digest = (token: string): string => createHash('sha256').update(token).digest('base64url');
  const proofOf = (target: string, usage: string, proof: string | undefined) => ({
    tokenHash: digest(proof ?? ''),
    target,
    usage,
  });

  /** Returns the seconds until the next code may be requested. */
  function admit(to: Recipient, address: string, browser: string | undefined): Promise<number> {
    if (to.kind === 'phone') return texting.admit(to, address, browser);
    return browser === undefined
      ? guard.attempt(to.key, address)
      : browsers.attempt(`${to.key} ${browser}`, '');
  }

  return {
    async send({ to, usage, words, isIdle = false, locale, address, browser }) {
      const retryIn = await admit(to, address, browser);
      const id = ids.next();
      const code = String(draw(1_000_000)).padStart(6, '0');
      const now = clock.now();
      const expiresAt = now + CODE_SECONDS * 1000;
      await database.transaction((tx) =>
        store.insert(tx, { id, target: to.key, usage, codeHash: codeHash(id, code), expiresAt }, now),
      );
      const minutes = CODE_SECONDS / 60;
      if (to.kind === 'phone') await texting.send(to, { code, minutes, locale, usage, isIdle });
      else await mails.send(to, { code, minutes, locale, words });
      return { id, retryIn, expiresIn: CODE_SECONDS };
    },

    find: (id) => store.find(database, id),

    async check(id, code) {
      const token = ids.secret() + ids.secret();
      const outcome = await database.transaction(async (tx) => {
        const now = clock.now();
        const verification = await store.spendAttempt(tx, id, ATTEMPTS, now);
        if (!verification) return 'expired';
        if (!keys.verify('verification-code', `${id} ${code.replace(/[\s-]/g, '')}`, verification.codeHash))
          return 'wrong';
        await store.verify(tx, id, digest(token), now, now + PROOF_SECONDS * 1000);
        return 'right';
      });
      // Thrown outside the transaction: a rollback would undo the counting of the attempt.
      if (outcome === 'expired') throw new ApiFailure('verification_code_expired');
      if (outcome === 'wrong') throw new ApiFailure('verification_code_wrong');
      return { token, expiresIn: PROOF_SECONDS };
    },

    async require(key, usage, proof) {
      const held = await store.holdsProof(database, proofOf(key, usage, proof), clock.now());
      if (!held) throw new ApiFailure('verification_code_expired');
    },

    async use(tx, key, usage, proof) {
      const used = await store.useProof(tx, proofOf(key, usage, proof), clock.now());
      if (!used) throw new ApiFailure('verification_code_expired');
    },

    async vouch(key, usage, seconds) {
      const token = ids.secret() + ids.secret();
      const id = ids.next();
      const now = clock.now();
      const expiresAt = now + seconds * 1000;
      await database.transaction(async (tx) => {
        await store.insert(tx, { id, target: key, usage, codeHash: '', expiresAt }, now);
        await store.verify(tx, id, digest(token), now, expiresAt);
      });
      return token;
    },

    async provenBy(usage, proof) {
      const target = await store.targetOf(database, digest(proof), usage, clock.now());
      if (target === undefined) throw new ApiFailure('verification_code_expired');
      return target;
    },

    forgetOld: () => database.transaction((tx) => store.removeBefore(tx, clock.now() - DAY_MS)),
  };
}
