import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type JWK,
} from 'jose';
import type { Database } from '../../foundation/database/index.ts';
import type { Clock, Keys } from '../../foundation/index.ts';
import type { SigningKeyStore } from './signing-key-store.ts';

/** Algorithm of tokens for apps: the one that every OpenID Connect client supports. */
export const SIGNING_ALGORITHM = 'RS256';

interface SigningKey {
  readonly kid: string;
  readonly createdAt: number;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly publicJwk: JWK;
}

/** Signing keys for tokens of apps, the same in every process; their public halves are published. */
export interface SigningKeys {
  /** Returns the current signing key; created on first use. */
  current(): Promise<{ readonly kid: string; readonly privateKey: CryptoKey }>;
  /** Returns the public key with that id, if it is one of ours and still valid. */
  find(kid: string): Promise<CryptoKey | undefined>;
  /** Returns all public keys that may verify tokens in use. */
  published(): Promise<JWK[]>;
  forgetOld(): Promise<void>;
}

const DAY_MS = 24 * 3600 * 1000;
const SIGNS_MS = 90 * DAY_MS;
/** Longer than the lifetime of any token that the key signed. */
const PUBLISHED_MS = SIGNS_MS + 2 * DAY_MS;
const PURPOSE = 'signing-key';

interface Parts {
  database: Database;
  store: SigningKeyStore;
  keys: Keys;
  clock: Clock;
}

export function createSigningKeys({ database, store, keys, clock }: Parts): SigningKeys {
  let known: readonly SigningKey[] = [];

  const isAtMost = (age: number) => (key: SigningKey) => clock.now() - key.createdAt < age;
  const signing = (): SigningKey | undefined => known.find(isAtMost(SIGNS_MS));

  async function load(): Promise<void> {
    const rows = await store.list(database);
    const loaded = await Promise.all(
      rows.map(async (row) => known.find(({ kid }) => kid === row.kid) ?? (await imported(row))),
    );
    known = loaded.filter((key) => key !== undefined);
  }

  /** Imports a stored key; returns undefined if it was encrypted with another secret of the installation. */
  async function imported(row: { kid: string; private: string; createdAt: number }) {
    const text = keys.decrypt(PURPOSE, row.private);
    if (text === undefined) return undefined;
    const jwk = JSON.parse(text) as JWK;
    const { kty, n, e } = jwk as { kty: string; n: string; e: string };
    const publicJwk = { kty, n, e, kid: row.kid, alg: SIGNING_ALGORITHM, use: 'sig' };
    return {
      kid: row.kid,
      createdAt: row.createdAt,
      privateKey: (await importJWK(jwk, SIGNING_ALGORITHM)) as CryptoKey,
      publicKey: (await importJWK(publicJwk, SIGNING_ALGORITHM)) as CryptoKey,
      publicJwk,
    };
  }

  /** Creates a key unless another process has created one first. */
  async function make(): Promise<void> {
    const pair = await generateKeyPair(SIGNING_ALGORITHM, { modulusLength: 3072, extractable: true });
    const jwk = await exportJWK(pair.privateKey);
    const kid = await calculateJwkThumbprint(jwk);
    await database.transaction(async (tx) => {
      await tx.lock(PURPOSE);
      const now = clock.now();
      const isThere = (await store.list(tx)).some(
        (row) => now - row.createdAt < SIGNS_MS && keys.decrypt(PURPOSE, row.private) !== undefined,
      );
      if (!isThere)
        await store.insert(tx, { kid, private: keys.encrypt(PURPOSE, JSON.stringify(jwk)), createdAt: now });
    });
  }

  return {
    async current() {
      if (!signing()) await load();
      if (!signing()) {
        await make();
        await load();
      }
      return signing()!;
    },

    async find(kid) {
      const isIt = (key: SigningKey): boolean => key.kid === kid;
      if (!known.some(isIt)) await load();
      return known.filter(isAtMost(PUBLISHED_MS)).find(isIt)?.publicKey;
    },

    async published() {
      await load();
      if (known.length === 0) await this.current();
      return known.filter(isAtMost(PUBLISHED_MS)).map(({ publicJwk }) => publicJwk);
    },

    forgetOld: () => database.transaction((tx) => store.removeBefore(tx, clock.now() - PUBLISHED_MS)),
  };
}
