import {
  ApiFailure,
  isApiFailure,
  WEB_CLIENT_ID,
  type EndpointSpec,
  type ErrorId,
} from '@bowerbird/contract';
import type { Database } from '../foundation/database/index.ts';
import type { Clock, Config } from '../foundation/index.ts';
import type { Asked, Gate } from '../foundation/http/index.ts';
import type { Seals } from './captcha-seal.ts';
import { kindOf, loginOf, type CaptchaToken } from './captcha.ts';
import type { Humans } from './human-service.ts';
import type { Risks } from './risk-service.ts';
import { PLAIN_PASSCODES } from './shield-limits.ts';
import type { Guard } from './shield-service.ts';
import type { ShieldStore } from './shield-store.ts';

/** Failures that count against a network and against the account or share. */
const FAILURES: ReadonlySet<ErrorId> = new Set([
  'invalid_account_or_password',
  'password_recovery_advised',
  'account_locked_retry',
  'account_locked',
  'verification_too_frequent',
  'email_taken',
  'phone_taken',
  'too_frequent',
]);

interface Parts {
  database: Database;
  store: ShieldStore;
  seals: Seals;
  risks: Risks;
  /** Guard with the limits of {@link PLAIN_PASSCODES}. */
  plain: Guard;
  humans: Humans;
  config: Pick<Config, 'CAPTCHA'>;
  clock: Clock;
}

const fieldsOf = (part: unknown): Readonly<Record<string, unknown>> =>
  (typeof part === 'object' ? part : undefined) as Readonly<Record<string, unknown>>;
const wordIn = (part: unknown, name: string): string => {
  const value = fieldsOf(part)?.[name];
  return typeof value === 'string' ? value : '';
};

/**
 * Admits calls that need no captcha token or have a valid one, and records their outcome. Rejects calls whose
 * risk can't be determined.
 */
export function createGate({ database, store, seals, risks, plain, humans, config, clock }: Parts): Gate {
  const policy = config.CAPTCHA;

  /** The same error has different codes on different hosts. */
  const refuse = (spec: EndpointSpec, reason: string, isMissing = false): never => {
    if (spec.host !== 'user') throw new ApiFailure('captcha_token_invalid', { reason });
    throw new ApiFailure(isMissing ? 'captcha_required' : 'captcha_invalid', { reason });
  };

  /** Returns the token if it is ours, unexpired, and of this client and device. */
  async function read(
    spec: EndpointSpec,
    text: string,
    asked: Asked,
    isNeeded: boolean,
  ): Promise<CaptchaToken> {
    const token = seals.openToken(text);
    if (!token) return refuse(spec, 'failed to decode');
    if (token.expiresAt <= clock.now()) return refuse(spec, 'captcha_token expired');
    const device = asked.caller.deviceId || wordIn(asked.body, 'device_id');
    const client = wordIn(asked.body, 'client_id') || asked.caller.clientId;
    // Signed-in callers are identified by their session; only what a client does send must match. Some
    // third-party clients send their device when they request the token, but not when they sign in with it.
    const saysDevice = isNeeded && (spec.captcha === true || token.client === WEB_CLIENT_ID);
    if ((saysDevice || device !== '') && device !== token.device)
      return refuse(spec, device === '' ? 'device_id is empty' : 'device_id not match');
    if ((isNeeded || client !== '') && client !== token.client) return refuse(spec, 'client_id not match');
    if (await store.isSpent(database, token.id)) return refuse(spec, 'captcha_token expired');
    return token;
  }

  async function mustWork(spec: EndpointSpec, { caller, body }: Asked): Promise<boolean> {
    if (policy !== 'adaptive') return policy === 'always';
    const kind = kindOf(spec);
    const target = kind === 'read' ? undefined : loginOf(fieldsOf(body));
    return (await risks.of(kind, { address: caller.address, device: caller.deviceId, target })) > 0;
  }

  /**
   * Admits passcodes without scripts, which the check requires. Browsers with scripts do the check once this
   * is rejected.
   */
  async function admitPlain({ caller, query }: Asked): Promise<'plain'> {
    try {
      await plain.attempt(wordIn(query, 'share_id'), caller.address);
      return 'plain';
    } catch (error) {
      if (isApiFailure(error) && error.id === PLAIN_PASSCODES.error)
        throw new ApiFailure('captcha_token_invalid', { ...error.facts, reason: 'captcha_token is empty' });
      throw error;
    }
  }

  /** Admits members who claim a reward. Whoever sends the token with the call needs no separate one to verify it. */
  async function admitReward(spec: EndpointSpec, asked: Asked): Promise<void> {
    const { viewer } = asked.caller;
    if (viewer === null || (await humans.isChecked(asked.caller, viewer.account))) return;
    const text = asked.captcha || wordIn(asked.body, 'captcha_token');
    if (text === '') return refuse(spec, 'captcha_token is empty', true);
    await humans.accept(viewer.account, await read(spec, text, asked, true));
  }

  async function admit(spec: EndpointSpec, asked: Asked): Promise<'plain' | void> {
    if (spec.captcha === 'reward') return admitReward(spec, asked);
    const isNeeded =
      spec.captcha !== undefined &&
      policy !== 'off' &&
      (spec.credentials === 'none' || asked.caller.viewer === null);
    // Endpoints open to visitors include every call that requests a token, renews a session or ends one.
    // Their callers hold expired tokens, so a token is only a hint there.
    const isHint = spec.captcha === undefined && spec.credentials !== 'required';
    const text = asked.captcha || wordIn(asked.body, 'captcha_token') || wordIn(asked.query, 'captcha_token');
    if (!isNeeded && (isHint || text === '' || policy === 'off' || asked.isPage)) return;
    if (text === '') {
      // Forms of our own pages work without scripts as long as no check is required; reading a share is part
      // of the page itself.
      const isFree = spec.captcha === true && wordIn(asked.query, 'pass_code') === '';
      if (asked.isPage && (isFree || !(await mustWork(spec, asked)))) return;
      if (asked.isDocument && spec.captcha === true) return admitPlain(asked);
      // A client whose access token has expired renews it when it gets this error. It never needed a captcha
      // token.
      if (spec.credentials === 'optional' && asked.caller.hasBearer)
        throw new ApiFailure((await asked.caller.refusal()) ?? 'unauthenticated');
      return refuse(spec, 'captcha_token is empty', true);
    }
    const token = await read(spec, text, asked, isNeeded);
    if (!isNeeded) return;
    const kind = kindOf(spec);
    const login = kind === 'read' ? undefined : loginOf(fieldsOf(asked.body));
    if (kind !== 'read' && (token.login === undefined || (login !== undefined && login !== token.login)))
      return refuse(spec, 'meta.username not match');
    if (token.client === WEB_CLIENT_ID && !token.solved && (await mustWork(spec, asked)))
      return refuse(spec, 'review');
    if (spec.captcha !== 'login-once') return;
    const isFirst = await database.transaction((tx) => store.spend(tx, token.id, token.expiresAt));
    if (!isFirst) refuse(spec, 'captcha_token expired');
  }

  /** Counts the outcome of guarded calls, whatever endpoint they used. */
  async function learn(spec: EndpointSpec, { caller, body, query }: Asked, error: unknown, reply: unknown) {
    if (spec.captcha === undefined) return;
    const kind = kindOf(spec);
    const share = wordIn(query, 'share_id') || wordIn(body, 'share_id');
    const target = kind === 'read' ? share || undefined : loginOf(fieldsOf(body));
    const asker = { address: caller.address, device: caller.deviceId, target };
    const isWrong = isApiFailure(error)
      ? FAILURES.has(error.id)
      : wordIn(reply, 'share_status') === 'PASS_CODE_ERROR';
    const isCostly = kind === 'login-once' && error === undefined;
    if (isWrong || isCostly) await risks.failed(asker);
    else if (kind === 'login' && error === undefined) await risks.cameIn(asker);
  }

  return async (spec, asked, work) => {
    const admitted = await admit(spec, asked);
    let reply: unknown;
    try {
      reply = await work();
    } catch (error) {
      await learn(spec, asked, error, undefined);
      throw error;
    }
    await learn(spec, asked, undefined, reply);
    if (admitted === 'plain' && wordIn(reply, 'share_status') !== 'PASS_CODE_ERROR')
      await plain.succeed(wordIn(asked.query, 'share_id'), asked.caller.address);
    return reply;
  };
}
