import { createHash } from 'node:crypto';
import { ENDPOINTS, type EndpointSpec } from '@bowerbird/contract';

/** Content of a captcha token; it is sealed and not stored, so that issuing one writes nothing. */
export interface CaptchaToken {
  readonly id: string;
  readonly client: string;
  readonly device: string;
  readonly expiresAt: number;
  /** {@link loginKey} of the account; undefined if the token was requested for something else. */
  readonly login: string | undefined;
  /** True if a browser solved a challenge for it. */
  readonly solved: boolean;
}

/** Challenge for a browser, sealed like a token. */
export interface Challenge extends Omit<CaptchaToken, 'solved'> {
  readonly rounds: number;
  readonly bits: number;
  readonly redirectUri: string;
}

const LOGIN_CALLS: readonly EndpointSpec[] = ENDPOINTS.filter(
  ({ captcha }) => captcha === 'login' || captcha === 'login-once',
);
const LOGIN_FIELDS = ['username', 'email', 'phone_number'] as const;

/**
 * `GET:/drive/v1/files`, `post:https://user.example.org/v1/auth/signin`: any host is accepted, since we may
 * have many names.
 */
export function pathOfAction(action: string): string | undefined {
  const [, target] = /^[a-z]+:(.+)$/i.exec(action) ?? [];
  if (target === undefined) return undefined;
  return target.startsWith('/') ? target.split('?', 1)[0] : URL.parse(target)?.pathname;
}

/** Kind of call a token is for: signing in, calls that send emails or create accounts, rewards, or any other. */
export type CaptchaKind = 'login' | 'login-once' | 'reward' | 'read';

export function kindOfAction(action: string): CaptchaKind {
  const path = pathOfAction(action);
  return kindOf(LOGIN_CALLS.find((spec) => path?.endsWith(spec.path)));
}

export function kindOf(spec: Pick<EndpointSpec, 'captcha'> | undefined): CaptchaKind {
  return spec?.captcha === 'login' || spec?.captcha === 'login-once' ? spec.captcha : 'read';
}

/**
 * Normalized name of an account, as a digest only, since it may be the address of someone without an account
 * here.
 */
export function loginKey(name: string): string {
  const bare = name.normalize('NFKC').replace(/\s+/g, '').toLowerCase();
  return createHash('sha256').update(bare).digest('base64url');
}

/** Account name from the meta or body of a call. */
export function loginOf(fields: Readonly<Record<string, unknown>> | undefined): string | undefined {
  for (const field of LOGIN_FIELDS) {
    const value = fields?.[field];
    if (typeof value === 'string' && value.trim() !== '') return loginKey(value);
  }
  return undefined;
}

/** Known facts about a caller. */
export interface Signals {
  /** Recent wrong passwords and passcodes, and requested accounts and emails, from this network. */
  readonly networkFailures: number;
  /** Same for the account or share, from any network. */
  readonly targetFailures: number;
  /** Recent token requests of this network. */
  readonly asked: number;
  /** The device has not signed in here under this name before. */
  readonly isNewDevice: boolean;
}

export type Risk = 0 | 1 | 2 | 3;

/** Token requests of one network in ten minutes that count as one failure. */
const ASKED_PER_FAILURE = 100;
/**
 * Failures from which a challenge is required: reading is allowed more than creating accounts. Whoever has to solve one
 * for a reward has to for reading as well, so that a token for it is one that was solved.
 */
const FREE: Readonly<Record<CaptchaKind, number>> = { 'login-once': 3, login: 4, read: 6, reward: 8 };

/** Difficulty that the signals justify. */
export function riskOf(kind: CaptchaKind, signals: Signals): Risk {
  const { networkFailures, targetFailures, asked, isNewDevice } = signals;
  const score =
    Math.max(networkFailures, targetFailures) +
    Math.floor(asked / ASKED_PER_FAILURE) +
    (isNewDevice && networkFailures + targetFailures > 0 ? 1 : 0);
  const beyond = score - FREE[kind];
  if (beyond < 0) return 0;
  return beyond < 8 ? 1 : beyond < 24 ? 2 : 3;
}

/** Sixteen small rounds take a more even time than a large one. */
const ROUNDS = 16;
const BITS: Readonly<Record<Risk, number>> = { 0: 13, 1: 14, 2: 16, 3: 17 };

export const workOf = (risk: Risk): { rounds: number; bits: number } => ({
  rounds: ROUNDS,
  bits: BITS[risk],
});

/** Returns whether the answers are right, in order, one for each round. */
export function isSolved({ id, rounds, bits }: Challenge, answers: readonly number[]): boolean {
  if (answers.length !== rounds) return false;
  return answers.every((answer, round) => {
    const digest = createHash('sha256').update(`${id}.${round}.${answer}`).digest();
    return digest.readUInt32BE(0) >>> (32 - bits) === 0;
  });
}
