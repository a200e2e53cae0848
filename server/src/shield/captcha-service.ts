import { createHash } from 'node:crypto';
import { ApiFailure, captchaSign, LIMITS, WEB_CLIENT_ID, WEB_PACKAGE_NAME } from '@bowerbird/contract';
import type { Database } from '../foundation/database/index.ts';
import type { Clock, Config, Ids } from '../foundation/index.ts';
import type { Caller } from '../foundation/http/index.ts';
import type { Seals } from './captcha-seal.ts';
import {
  isSolved,
  kindOfAction,
  loginOf,
  pathOfAction,
  workOf,
  type CaptchaToken,
  type Challenge,
} from './captcha.ts';
import type { Risks } from './risk-service.ts';
import type { ShieldStore } from './shield-store.ts';

export interface CaptchaRequest {
  readonly client: string;
  readonly device: string;
  readonly action: string;
  /** Previous token, or "". */
  readonly previous: string;
  readonly meta: Readonly<Record<string, unknown>>;
  /** Address after a challenge; "" for the page that sends the token to its frame. */
  readonly redirectUri: string;
  readonly caller: Caller;
}

export type Answer =
  | { readonly token: string; readonly seconds: number }
  | { readonly challenge: string; readonly isFor: Challenge };

export interface Captchas {
  init(asking: CaptchaRequest): Promise<Answer>;
  /** Returns the challenge; rejects with `token_expired` if it has expired. */
  challenge(text: string): Challenge;
  secondsUntil(instant: number): number;
  solve(
    text: string,
    answers: readonly number[],
  ): Promise<{ token: string; seconds: number; redirectUri: string }>;
}

const CHALLENGE_MS = 10 * 60_000;
/** Remaining lifetime below which a token is not returned again. */
const WORTH_REUSING_MS = 60_000;
/** Clocks of visitors are wrong by hours, but not by days. */
const CLOCK_SKEW_MS = 24 * 3600_000;
/** Schemes of clients that finish a sign-in by following them. */
const KNOWN_SCHEMES = new Set(['xlaccsdk01:', 'bowerbird:']);

interface Parts {
  database: Database;
  store: ShieldStore;
  seals: Seals;
  risks: Risks;
  config: Pick<Config, 'CAPTCHA' | 'SITE_URL' | 'API_ORIGINS'>;
  clock: Clock;
  ids: Ids;
}

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const wordIn = (meta: Readonly<Record<string, unknown>>, name: string): string => {
  const value = meta[name];
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
};

export function createCaptchas({ database, store, seals, risks, config, clock, ids }: Parts): Captchas {
  /** Verifies the signature of our own pages. */
  function checkSignature({ client, device, meta }: CaptchaRequest): void {
    const timestamp = wordIn(meta, 'timestamp');
    const sign = captchaSign(
      {
        clientId: client,
        clientVersion: wordIn(meta, 'client_version'),
        packageName: wordIn(meta, 'package_name'),
        deviceId: device,
        timestamp,
      },
      md5,
    );
    const isFresh = Math.abs(clock.now() - Number(timestamp)) <= CLOCK_SKEW_MS;
    if (
      wordIn(meta, 'captcha_sign') !== sign ||
      wordIn(meta, 'package_name') !== WEB_PACKAGE_NAME ||
      !isFresh
    )
      throw new ApiFailure('captcha_invalid', { reason: 'captcha_sign' });
  }

  function redirectOf({ redirectUri, caller }: CaptchaRequest): string {
    const own = [caller.origin, ...(config.SITE_URL ? [config.SITE_URL] : []), ...config.API_ORIGINS];
    if (redirectUri === '') return `${config.SITE_URL ?? caller.origin}/loading`;
    const url = URL.parse(redirectUri);
    if (!url || !(own.includes(url.origin) || KNOWN_SCHEMES.has(url.protocol)))
      throw new ApiFailure('invalid_argument', { field: 'redirect_uri' });
    return url.href;
  }

  const grant = (token: Omit<CaptchaToken, 'id' | 'expiresAt'>): { token: string; seconds: number } => ({
    token: seals.token({
      ...token,
      id: ids.secret(),
      expiresAt: clock.now() + LIMITS.captchaTokenSeconds * 1000,
    }),
    seconds: LIMITS.captchaTokenSeconds,
  });

  const secondsUntil = (instant: number): number => Math.floor((instant - clock.now()) / 1000);

  async function reusable(
    asking: CaptchaRequest,
    login: string | undefined,
  ): Promise<CaptchaToken | undefined> {
    const known = asking.previous === '' ? undefined : seals.openToken(asking.previous);
    if (!known || known.expiresAt - clock.now() < WORTH_REUSING_MS) return undefined;
    if (known.client !== asking.client || known.device !== asking.device) return undefined;
    if (login !== undefined && known.login !== login) return undefined;
    return (await store.isSpent(database, known.id)) ? undefined : known;
  }

  function openChallenge(text: string): Challenge {
    const challenge = seals.openChallenge(text);
    if (!challenge || challenge.expiresAt <= clock.now()) throw new ApiFailure('token_expired');
    return challenge;
  }

  return {
    async init(asking) {
      const { client, device, action, meta, caller } = asking;
      if (client === '') throw new ApiFailure('invalid_argument', { field: 'client_id' });
      if (device === '') throw new ApiFailure('captcha_invalid', { reason: 'device_id is empty' });
      const isOwn = client === WEB_CLIENT_ID;
      if (isOwn && pathOfAction(action) === undefined)
        throw new ApiFailure('invalid_argument', { field: 'action' });
      if (isOwn) checkSignature(asking);
      const kind = kindOfAction(action);
      const login = kind === 'read' ? undefined : loginOf(meta);
      if (kind !== 'read' && login === undefined)
        throw new ApiFailure('invalid_argument', {
          field: 'meta',
          reason: 'username, email or phone_number',
        });
      const wait = await risks.asked(caller.address);
      if (wait > 0) throw new ApiFailure('too_frequent', { retry_in: String(wait) });

      const known = await reusable(asking, login);
      const risk = await risks.of(kind, { address: caller.address, device, target: login });
      // Third-party clients can't show a page; their calls are throttled instead.
      const isChallenged =
        isOwn && (config.CAPTCHA === 'always' || (config.CAPTCHA === 'adaptive' && risk > 0));
      if (known && (known.solved || !isChallenged))
        return { token: asking.previous, seconds: secondsUntil(known.expiresAt) };
      if (!isChallenged) return grant({ client, device, login, solved: false });

      const challenge: Challenge = {
        id: ids.secret(),
        client,
        device,
        login,
        expiresAt: clock.now() + CHALLENGE_MS,
        redirectUri: redirectOf(asking),
        ...workOf(risk),
      };
      return { challenge: seals.challenge(challenge), isFor: challenge };
    },

    challenge: openChallenge,
    secondsUntil,

    async solve(text, answers) {
      const challenge = openChallenge(text);
      if (!isSolved(challenge, answers)) throw new ApiFailure('captcha_invalid', { reason: 'answers' });
      const isFirst = await database.transaction((tx) => store.spend(tx, challenge.id, challenge.expiresAt));
      if (!isFirst) throw new ApiFailure('token_expired');
      const { client, device, login, redirectUri } = challenge;
      return { ...grant({ client, device, login, solved: true }), redirectUri };
    },
  };
}
