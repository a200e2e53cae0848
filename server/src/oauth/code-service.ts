import { ApiFailure, WEB_CLIENT_ID, type GrantScope } from '@bowerbird/contract';
import {
  isUsable,
  requireUsable,
  type Accounts,
  type AccountRow,
  type SessionTransport,
  type Grant,
  type SessionMaker,
  type Sessions,
} from '../account/index.ts';
import type { Database, Tx } from '../foundation/database/index.ts';
import type { Member } from '../foundation/http/index.ts';
import type { Clock, Ids } from '../foundation/index.ts';
import type { CodeStore } from './code-store.ts';
import type { Consents } from './consent-service.ts';
import { answersChallenge, digest, type Client, type CodeRow } from './oauth.ts';

type NewCode = Pick<
  CodeRow,
  'account' | 'client' | 'consent' | 'redirectUri' | 'challenge' | 'nonce' | 'scopes' | 'authenticatedAt'
>;

/** Parameters of the exchange of a code. */
export interface Exchange {
  readonly code: string;
  readonly client: Client;
  readonly redirectUri: string | undefined;
  readonly verifier: string | undefined;
}

/** Result of an exchange, with the claims for an ID token. */
export interface Redeemed {
  readonly grant: Grant;
  readonly account: AccountRow;
  readonly scopes: readonly GrantScope[];
  readonly nonce: string | undefined;
  readonly authenticatedAt: number;
}

/** Single-use codes, valid for a minute. A second use revokes the session of the first. */
export interface Codes {
  make(tx: Tx, code: NewCode): Promise<string>;
  /** Exchanges a code. Throws `invalid_grant` unless client, redirect URI and challenge match. */
  redeem(exchange: Exchange, maker: SessionMaker): Promise<Redeemed>;
  /** Creates a code that hands the session of this member over to our own pages. */
  handOver(member: Member): Promise<string>;
  /** Returns the account of such a code. */
  ownerOf(code: string): Promise<AccountRow>;
  takeOver(code: string, kind: SessionTransport, maker: SessionMaker): Promise<Grant>;
  forgetOld(): Promise<void>;
}

export const CODE_SECONDS = 60;
const KEPT_MS = 24 * 3600 * 1000;

interface Parts {
  database: Database;
  store: CodeStore;
  consents: Consents;
  accounts: Accounts;
  sessions: Sessions;
  clock: Clock;
  ids: Ids;
}

export function createCodes({ database, store, consents, accounts, sessions, clock, ids }: Parts): Codes {
  const isHandedOver = (code: CodeRow): boolean => code.client === WEB_CLIENT_ID;

  const isGood = (code: CodeRow, account: AccountRow | undefined): account is AccountRow =>
    code.expiresAt > clock.now() &&
    isUsable(account) &&
    // A new password invalidates sessions of the old one, and unused codes too.
    (account.passwordUpdatedAt ?? 0) <= code.createdAt;

  /** Runs `work` with a valid, unused code; a used one revokes the session that it opened. */
  async function spend<T>(
    text: string,
    work: (tx: Tx, code: CodeRow, account: AccountRow) => Promise<{ session: string; result: T } | undefined>,
  ): Promise<T> {
    const hash = digest(text);
    const spent = await database.transaction(async (tx) => {
      await tx.lock(`oauth-code:${hash}`);
      const code = await store.find(tx, hash);
      if (!code) return undefined;
      if (code.usedAt !== undefined) {
        if (code.session !== undefined) await sessions.endIn(tx, code.session);
        return undefined;
      }
      const account = await accounts.find(tx, code.account);
      if (account) requireUsable(account);
      if (!isGood(code, account)) return undefined;
      const done = await work(tx, code, account);
      if (done) await store.use(tx, hash, done.session, clock.now());
      return done;
    });
    if (!spent) throw new ApiFailure('invalid_grant');
    return spent.result;
  }

  async function make(tx: Tx, code: NewCode): Promise<string> {
    const text = ids.secret() + ids.secret();
    const now = clock.now();
    const expiresAt = now + CODE_SECONDS * 1000;
    await store.insert(tx, {
      ...code,
      hash: digest(text),
      createdAt: now,
      expiresAt,
      usedAt: undefined,
      session: undefined,
    });
    return text;
  }

  return {
    make,

    async redeem({ code: text, client, redirectUri, verifier }, maker) {
      const { opened, ...redeemed } = await spend(text, async (tx, code, account) => {
        const isRight =
          code.client === client.id &&
          (redirectUri === undefined ? client.redirectUris.length === 1 : code.redirectUri === redirectUri) &&
          (code.challenge === undefined
            ? verifier === undefined
            : answersChallenge(verifier, code.challenge));
        const consent = isRight && code.consent ? await consents.find(tx, code.consent) : undefined;
        if (!consent) return undefined;
        await sessions.hold(tx, account);
        const { scopes, nonce, authenticatedAt } = code;
        const bounds = { consent: consent.id, scopes };
        const session = await sessions.open(tx, account, 'token', maker, 'app', bounds);
        await consents.use(tx, consent);
        return { session: session.id, result: { opened: session, account, scopes, nonce, authenticatedAt } };
      });
      return { ...redeemed, grant: await sessions.grant(opened, maker.origin) };
    },

    async handOver({ account, session }) {
      const signedIn = await sessions.find(database, session);
      return database.transaction((tx) =>
        make(tx, {
          account,
          client: WEB_CLIENT_ID,
          consent: undefined,
          redirectUri: '',
          challenge: undefined,
          nonce: undefined,
          scopes: [],
          authenticatedAt: signedIn?.createdAt ?? clock.now(),
        }),
      );
    },

    async ownerOf(text) {
      const code = await store.find(database, digest(text));
      const account = code && (await accounts.find(database, code.account));
      if (!code || !isHandedOver(code) || code.usedAt !== undefined || !isGood(code, account))
        throw new ApiFailure('invalid_grant');
      return account;
    },

    async takeOver(text, kind, maker) {
      const opened = await spend(text, async (tx, code, account) => {
        if (!isHandedOver(code)) return undefined;
        await sessions.hold(tx, account);
        const session = await sessions.open(tx, account, kind, maker, 'handover');
        return { session: session.id, result: session };
      });
      return sessions.grant(opened, maker.origin);
    },

    forgetOld: () => database.transaction((tx) => store.removeOver(tx, clock.now() - KEPT_MS)),
  };
}
