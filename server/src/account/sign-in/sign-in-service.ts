import { ApiFailure } from '@bowerbird/contract';
import type { Database } from '../../foundation/database/index.ts';
import type { Clock, Keys } from '../../foundation/index.ts';
import type { AccountStore } from '../account-store.ts';
import { emailKey, type AccountRow } from '../account.ts';
import type { SignInHistory } from './sign-in-history-service.ts';
import type { Admission } from './admission.ts';
import type { Passes, PasswordChecks, Answer, SecondFactors, SignInGuard } from '../credential/index.ts';
import type { Sessions } from './session-service.ts';
import type { Grant, SessionMaker, SessionTransport } from './session.ts';
import type { Verifications } from '../verification/index.ts';

/** Cookie with a trusted browser's secret. */
export const TRUST_COOKIE = 'pp_trusted_device';

/** Client that signs in, and its browser: `trust` is the secret of a trusted one, `browser` marks one used before. */
export type SignInContext = SessionMaker & {
  readonly trust: string | undefined;
  readonly browser?: string | undefined;
};

export interface SignIns {
  /** Throws `second_factor_required` with a ticket if the password is right but a second step is needed. */
  byPassword(
    credentials: { username: string; password: string },
    kind: SessionTransport,
    context: SignInContext,
  ): Promise<Grant>;
  /** Exchanges a code for the proof; wrong codes for a sign-in count as wrong passwords. */
  checkCode(
    sent: { id: string; code: string },
    from: { address: string; browser: string | undefined },
  ): Promise<{ token: string; expiresIn: number }>;
  /** Signs in with the proof of a code instead of the password; a second step is still required. */
  byCode(
    proven: { username: string; proof: string },
    kind: SessionTransport,
    context: SignInContext,
  ): Promise<Grant>;
  /** Signs in a user whom an external provider vouches for; our second step is still required. */
  byOther(account: AccountRow, kind: SessionTransport, context: SignInContext): Promise<Grant>;
  /** Completes a sign-in with its ticket and the second factor. */
  bySecondFactor(
    answer: Answer & { ticket: string; remember: boolean },
    kind: SessionTransport,
    context: SignInContext,
  ): Promise<{ grant: Grant; trust: string | undefined }>;
}

const TICKET = 'sign-in-ticket';
const TICKET_MS = 600_000;
const CODE_USAGE = 'SIGN_IN';

interface Parts {
  database: Database;
  accounts: AccountStore;
  sessions: Sessions;
  checks: PasswordChecks;
  guard: SignInGuard;
  verifications: Verifications;
  passes: Passes;
  secondFactors: SecondFactors;
  signInHistory: SignInHistory;
  admission: Pick<Admission, 'admit'>;
  keys: Keys;
  clock: Clock;
  /** Returns true if an account with this name could reset its password without the administrator's help. */
  recovers(name: string): boolean;
}

export function createSignIns(parts: Parts): SignIns {
  const { database, accounts, sessions, checks, guard, verifications, passes, secondFactors, signInHistory } =
    parts;
  const { admission, keys, clock, recovers } = parts;

  /** Seals the proof that the password was right; valid for some minutes, and only until the password changes. */
  const ticketOf = ({ id, passwordHash }: AccountRow): string =>
    keys.encrypt(TICKET, JSON.stringify([id, passwordHash, clock.now() + TICKET_MS]));

  async function holderOf(ticket: string): Promise<AccountRow> {
    const text = keys.decrypt(TICKET, ticket);
    const [id, hash, until] = JSON.parse(text ?? '["", "", 0]') as [string, string | null, number];
    const account = until > clock.now() ? await accounts.find(database, id) : undefined;
    if (!account || (account.passwordHash ?? null) !== hash) throw new ApiFailure('token_expired');
    return account;
  }

  const isEnoughAlone = async ({ id }: AccountRow, trust: string | undefined): Promise<boolean> =>
    !(await secondFactors.isOn(id)) || (await secondFactors.trusts(id, trust));

  /** Recommends a password reset once the free attempts are used up. Does not reveal whether there is an account. */
  const wrongPassword = (username: string, wait: number): ApiFailure =>
    wait > 0 && recovers(username)
      ? new ApiFailure('password_recovery_advised', { retry_in: String(wait) })
      : new ApiFailure('invalid_account_or_password');

  return {
    async byOther(account, kind, context) {
      if (!(await isEnoughAlone(account, context.trust)))
        throw new ApiFailure('second_factor_required', { ticket: ticketOf(account) });
      admission.admit(account, 'external');
      const opened = await database.transaction(async (tx) => {
        await sessions.hold(tx, account);
        return sessions.open(tx, account, kind, context, 'external');
      });
      return sessions.grant(opened, context.origin);
    },

    async checkCode({ id, code }, from) {
      const sent = await verifications.find(id);
      if (sent?.usage !== CODE_USAGE) return verifications.check(id, code);
      const { succeed } = await guard.attempt(await checks.find(sent.target), { name: sent.target, ...from });
      const proof = await verifications.check(id, code);
      await succeed();
      return proof;
    },

    async byCode({ username, proof }, kind, context) {
      const target = await verifications.provenBy(CODE_USAGE, proof);
      const account = await checks.find(username);
      if (!account || ![emailKey(account.email), account.phone].includes(target))
        throw new ApiFailure('invalid_account_or_code');
      const isEnough = await isEnoughAlone(account, context.trust);
      const way = target.includes('@') ? 'mail_code' : 'sms_code';
      if (isEnough) admission.admit(account, way);
      const opened = await database.transaction(async (tx) => {
        if (isEnough) await sessions.hold(tx, account);
        await verifications.use(tx, target, CODE_USAGE, proof);
        return isEnough ? sessions.open(tx, account, kind, context, way) : undefined;
      });
      if (!opened) throw new ApiFailure('second_factor_required', { ticket: ticketOf(account) });
      return sessions.grant(opened, context.origin);
    },

    async byPassword({ username, password }, kind, context) {
      const { address, browser, origin } = context;
      const account = await checks.find(username);
      const pass = kind === 'token' ? await passes.match(account, password, address) : undefined;
      const { isRight, wait } = pass
        ? { isRight: true, wait: 0 }
        : await checks.compare(account, { name: username, password, address, browser });
      if (!isRight || !account) {
        signInHistory.recordFailure(account, 'password', context);
        throw wrongPassword(username, wait);
      }
      const isEnough = pass !== undefined || (await isEnoughAlone(account, context.trust));
      if (!isEnough) throw new ApiFailure('second_factor_required', { ticket: ticketOf(account) });
      // Checked last: the state of an account is revealed to its owner only.
      admission.admit(account, pass ? 'app_password' : 'password');
      const opened = await database.transaction(async (tx) => {
        await sessions.hold(tx, account, pass);
        return sessions.open(tx, account, kind, context, pass ? 'app_password' : 'password', pass);
      });
      return sessions.grant(opened, origin);
    },

    async bySecondFactor({ ticket, remember, ...answer }, kind, context) {
      const account = await holderOf(ticket);
      const way = 'code' in answer ? 'second_factor' : 'recovery_code';
      try {
        await secondFactors.require(account.id, answer, context.address);
      } catch (error) {
        signInHistory.recordFailure(account, way, context);
        throw error;
      }
      admission.admit(account, way);
      const { opened, trust } = await database.transaction(async (tx) => {
        await sessions.hold(tx, account);
        return {
          opened: await sessions.open(tx, account, kind, context, way),
          trust: remember ? await secondFactors.trust(tx, account.id, context.userAgent) : undefined,
        };
      });
      return { grant: await sessions.grant(opened, context.origin), trust };
    },
  };
}
