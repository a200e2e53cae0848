import { createHash } from 'node:crypto';
import { ENDPOINTS, type EndpointSpec } from '@bowerbird/contract';

/** What a captcha token says; it is sealed and its own record, so that giving one out writes nothing. */
export interface CaptchaToken {
  readonly id: string;
  readonly client: string;
  readonly device: string;
  readonly expiresAt: number;
  /** {@link loginKey} of who wants in; undefined where the token was asked for something else. */
  readonly login: string | undefined;
  /** Whether somebody's browser has worked for it. */
  readonly solved: boolean;
}

/** A question to a browser, sealed like a token. */
export interface Challenge extends Omit<CaptchaToken, 'solved'> {
  readonly rounds: number;
  readonly bits: number;
  readonly redirectUri: string;
}

const LOGIN_CALLS: readonly EndpointSpec[] = ENDPOINTS.filter(
  ({ captcha }) => captcha === 'login' || captcha === 'login-once',
);
const LOGIN_FIELDS = ['username', 'email', 'phone_number'] as const;

/** `GET:/drive/v1/files`, `post:https://user.example.org/v1/auth/signin`: any host will do, we may be called by many names. */
export function pathOfAction(action: string): string | undefined {
  const [, target] = /^[a-z]+:(.+)$/i.exec(action) ?? [];
  if (target === undefined) return undefined;
  return target.startsWith('/') ? target.split('?', 1)[0] : URL.parse(target)?.pathname;
}

/** What kind of call a token is for: one that signs in, one that does what mails and accounts cost, or any other. */
export type CaptchaKind = 'login' | 'login-once' | 'read';

export function kindOfAction(action: string): CaptchaKind {
  const path = pathOfAction(action);
  return kindOf(LOGIN_CALLS.find((spec) => path?.endsWith(spec.path)));
}

export function kindOf(spec: Pick<EndpointSpec, 'captcha'> | undefined): CaptchaKind {
  return spec?.captcha === 'login' || spec?.captcha === 'login-once' ? spec.captcha : 'read';
}

/** A name as it is compared: only its digest is kept, for it may be the address of somebody who never came here. */
export function loginKey(name: string): string {
  const bare = name.normalize('NFKC').replace(/\s+/g, '').toLowerCase();
  return createHash('sha256').update(bare).digest('base64url');
}

/** Under which name somebody wants in, from a meta or from the body of a call. */
export function loginOf(fields: Readonly<Record<string, unknown>> | undefined): string | undefined {
  for (const field of LOGIN_FIELDS) {
    const value = fields?.[field];
    if (typeof value === 'string' && value.trim() !== '') return loginKey(value);
  }
  return undefined;
}

/** What is known of whoever asks. */
export interface Signals {
  /** Wrong passwords and passcodes, accounts and mails asked for, from this network lately. */
  readonly networkFailures: number;
  /** The same for the account or share that is meant, from anywhere. */
  readonly targetFailures: number;
  /** Tokens that this network asked for lately. */
  readonly asked: number;
  /** The device has not signed in here under this name before. */
  readonly isNewDevice: boolean;
}

export type Risk = 0 | 1 | 2 | 3;

/** Tokens of one network in ten minutes that weigh as much as one failure. */
const ASKED_PER_FAILURE = 100;
/** Failures from which on the browser has to work: reading is forgiven more than opening accounts. */
const FREE: Readonly<Record<CaptchaKind, number>> = { 'login-once': 3, login: 4, read: 6 };

/** How much reason there is to make it hard. */
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

/** Sixteen small questions take a more even time than a large one. */
const ROUNDS = 16;
const BITS: Readonly<Record<Risk, number>> = { 0: 13, 1: 14, 2: 16, 3: 17 };

export const workOf = (risk: Risk): { rounds: number; bits: number } => ({
  rounds: ROUNDS,
  bits: BITS[risk],
});

/** Whether the answers are right, in order, one for each round. */
export function isSolved({ id, rounds, bits }: Challenge, answers: readonly number[]): boolean {
  if (answers.length !== rounds) return false;
  return answers.every((answer, round) => {
    const digest = createHash('sha256').update(`${id}.${round}.${answer}`).digest();
    return digest.readUInt32BE(0) >>> (32 - bits) === 0;
  });
}
