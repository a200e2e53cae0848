import { randomBytes } from 'node:crypto';
import { ApiFailure, isApiFailure, type Locale } from '@bowerbird/contract';
import {
  emailKey,
  type Accounts,
  type SignInContext,
  type Grant,
  type Owner,
  type PasswordChecks,
  type SignIns,
} from '../account/index.ts';
import { isUniqueViolation, type Database } from '../foundation/database/index.ts';
import type { Member } from '../foundation/http/index.ts';
import type { Clock, Ids, Keys } from '../foundation/index.ts';
import type { ExternalStore } from './external-store.ts';
import type { ExternalRow } from './oauth.ts';
import type { PendingLogin, Provider, Vouched } from './provider.ts';

/** A pending login in the browser's cookie while the user is at the provider. Only this browser can finish it. */
interface PendingCookie extends PendingLogin {
  readonly continueTo: string;
  readonly redirectUri: string;
  readonly until: number;
}

/** A proposed link in the browser's cookie until the owner of the account has signed in and agreed. */
interface Link {
  readonly subject: string;
  readonly email: string;
  readonly until: number;
}

export interface ProviderAnswer {
  readonly code: string | undefined;
  readonly state: string | undefined;
  readonly iss: string | undefined;
  readonly error: string | undefined;
}

export type Outcome = { readonly continueTo: string; readonly email: string } & (
  | { readonly kind: 'in'; readonly grant: Grant | undefined }
  | { readonly kind: 'link'; readonly link: string }
);

/** Sign-in with an account of an external provider. Every method throws `unsupported` if none is configured. */
export interface Externals {
  /** The provider's display name, or "". */
  readonly label: string;
  begin(continueTo: string, origin: string): Promise<{ redirectTo: string; pending: string }>;
  finish(
    answer: ProviderAnswer,
    pending: string | undefined,
    context: SignInContext,
    who: { viewer: Member | null; locale: Locale },
  ): Promise<Outcome>;
  /** Returns the email address of an external account that waits for its owner's consent. */
  toBeLinked(link: string | undefined): string;
  link(account: string, link: string | undefined): Promise<void>;
  list(account: string): Promise<ExternalRow[]>;
  /** Removes a link. Requires the account's password, which remains as a way to sign in. */
  unlink(owner: Owner, id: string): Promise<void>;
}

export const PENDING_SECONDS = 600;
/** Error codes of the provider (OpenID Connect Core, 3.1.2.6) that exist here with the same meaning. */
const SAID_BY_PROVIDER = ['access_denied', 'server_error', 'temporarily_unavailable'] as const;
const PENDING = 'external-sign-in';
const LINK = 'external-link';

interface Parts {
  database: Database;
  store: ExternalStore;
  provider: Provider | undefined;
  accounts: Accounts;
  signIns: SignIns;
  checks: PasswordChecks;
  keys: Keys;
  clock: Clock;
  ids: Ids;
}

export function createExternals(parts: Parts): Externals {
  const { database, store, accounts, signIns, checks, keys, clock, ids } = parts;

  const set = (): Provider => {
    if (!parts.provider) throw new ApiFailure('unsupported');
    return parts.provider;
  };
  const readLink = (plain: string) => JSON.parse(plain) as Link;
  const until = (): number => clock.now() + PENDING_SECONDS * 1000;
  const random = (): string => randomBytes(32).toString('base64url');

  /** Decrypts a value from the browser's cookie; throws `token_expired` if it is missing or too old. */
  function opened<T extends { until: number }>(
    purpose: string,
    text: string | undefined,
    read: (plain: string) => T,
  ): T {
    const plain = text === undefined ? undefined : keys.decrypt(purpose, text);
    const kept = plain === undefined ? undefined : read(plain);
    if (!kept || kept.until <= clock.now()) throw new ApiFailure('token_expired');
    return kept;
  }

  const row = (account: string, { subject, email }: Pick<Vouched, 'subject' | 'email'>): ExternalRow => ({
    id: ids.next(),
    issuer: set().settings.issuer,
    subject,
    account,
    email,
    createdAt: clock.now(),
    usedAt: undefined,
  });

  function judgeDomain({ email, isVerified }: Vouched): void {
    const { domains } = set().settings;
    const domain = emailKey(email).split('@').at(-1) ?? '';
    if (domains.length > 0 && !(isVerified && domains.includes(domain)))
      throw new ApiFailure('permission_denied', { reason: 'domain' });
  }

  /** Signs in a user with a linked account. */
  async function comeBack(
    known: ExternalRow,
    vouched: Vouched,
    context: SignInContext,
    continueTo: string,
  ): Promise<Grant> {
    const account = await accounts.find(database, known.account);
    if (!account) throw new ApiFailure('third_party_failed');
    const grant = await signIns.byOther(account, 'cookie', context).catch((error: unknown) => {
      if (isApiFailure(error)) throw new ApiFailure(error.id, { ...error.facts, continue: continueTo });
      throw error;
    });
    await database.transaction((tx) => store.use(tx, known.id, vouched.email, clock.now()));
    return grant;
  }

  /** Creates an account for a new user whose email address the provider has verified. */
  async function welcome(vouched: Vouched, context: SignInContext, locale: Locale): Promise<Grant> {
    if (!set().settings.signUp) throw new ApiFailure('permission_denied', { reason: 'closed' });
    const account = await database.transaction(async (tx) => {
      const { email, name } = vouched;
      const made = await accounts.welcome(tx, { email, name, locale });
      await store.insert(tx, { ...row(made.id, vouched), usedAt: clock.now() });
      return made;
    });
    return signIns.byOther(account, 'cookie', context);
  }

  return {
    label: parts.provider?.settings.label ?? '',

    async begin(continueTo, origin) {
      const redirectUri = `${origin}/auth`;
      const login = { state: random(), nonce: random(), verifier: random() };
      const redirectTo = await set().begin(login, redirectUri);
      const pending: PendingCookie = { ...login, continueTo, redirectUri, until: until() };
      return { redirectTo, pending: keys.encrypt(PENDING, JSON.stringify(pending)) };
    },

    async finish({ code, state, iss, error }, kept, context, { viewer, locale }) {
      const provider = set();
      const pending = opened(PENDING, kept, (plain) => JSON.parse(plain) as PendingCookie);
      const { continueTo } = pending;
      if (state !== pending.state) throw new ApiFailure('token_expired');
      if (error !== undefined || code === undefined)
        throw new ApiFailure(SAID_BY_PROVIDER.find((one) => one === error) ?? 'third_party_failed');
      const vouched = await provider.finish({ code, iss }, pending, pending.redirectUri);
      judgeDomain(vouched);
      const { email, subject } = vouched;
      const known = await store.find(database, provider.settings.issuer, subject);
      if (known && viewer) {
        if (known.account !== viewer.account) throw new ApiFailure('already_exists');
        return { kind: 'in', grant: undefined, continueTo, email };
      }
      if (known)
        return { kind: 'in', grant: await comeBack(known, vouched, context, continueTo), continueTo, email };
      const isProven = email !== '' && vouched.isVerified;
      // An unverified address grants nothing, and reveals nothing about existing accounts.
      if (!viewer && !isProven) throw new ApiFailure('permission_denied', { reason: 'unverified' });
      if (viewer || (await accounts.byEmail(database, email))) {
        const link: Link = { subject, email, until: until() };
        return { kind: 'link', link: keys.encrypt(LINK, JSON.stringify(link)), continueTo, email };
      }
      return { kind: 'in', grant: await welcome(vouched, context, locale), continueTo, email };
    },

    toBeLinked: (kept) => opened(LINK, kept, readLink).email,

    async link(account, kept) {
      const { subject, email } = opened(LINK, kept, readLink);
      try {
        await database.transaction((tx) => store.insert(tx, row(account, { subject, email })));
      } catch (error) {
        if (isUniqueViolation(error)) throw new ApiFailure('already_exists');
        throw error;
      }
    },

    list: (account) => store.list(database, account),

    async unlink({ account, password, address }, id) {
      await checks.confirm(account, password, address);
      if (!(await database.transaction((tx) => store.remove(tx, account, id))))
        throw new ApiFailure('not_found');
    },
  };
}
