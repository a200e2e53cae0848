import { createHash } from 'node:crypto';
import { ApiFailure } from '@bowerbird/contract';
import type { Database } from '../foundation/database/index.ts';
import type { Caller } from '../foundation/http/index.ts';
import type { Clock, Config } from '../foundation/index.ts';
import type { Seals } from './captcha-seal.ts';
import type { CaptchaToken } from './captcha.ts';
import type { Risks } from './risk-service.ts';
import type { ShieldStore } from './shield-store.ts';

/** Recognizes programs that claim rewards for many accounts. */
export interface Humans {
  /** True if nothing about the caller is suspicious, or if the member solved a challenge a short time ago. */
  isChecked(caller: Pick<Caller, 'address' | 'deviceId'>, account: string): Promise<boolean>;
  /** Accepts a token once, if a challenge was solved for it; otherwise throws `captcha_token_invalid`. */
  accept(account: string, token: CaptchaToken): Promise<void>;
  /** Accepts a token in its sealed form, in the same way. */
  verify(account: string, text: string): Promise<void>;
}

/** Time for which a solved challenge counts. */
const CHECKED_MS = 10 * 60_000;

interface Parts {
  database: Database;
  store: ShieldStore;
  seals: Seals;
  risks: Risks;
  config: Pick<Config, 'CAPTCHA'>;
  clock: Clock;
}

export function createHumans({ database, store, seals, risks, config, clock }: Parts): Humans {
  const keyOf = (account: string): string =>
    `captcha:${createHash('sha256')
      .update(JSON.stringify(['checked', account]))
      .digest('base64url')}`;

  async function isSuspicious({ address, deviceId }: Pick<Caller, 'address' | 'deviceId'>): Promise<boolean> {
    if (config.CAPTCHA !== 'adaptive') return config.CAPTCHA === 'always';
    return (await risks.of('reward', { address, device: deviceId, target: undefined })) > 0;
  }

  const humans: Humans = {
    async isChecked(caller, account) {
      if (!(await isSuspicious(caller))) return true;
      const key = keyOf(account);
      const left = ((await store.find(database, [key])).get(key)?.forgetAt ?? 0) - clock.now();
      // An entry by a clock that was ahead counts no longer than others.
      return left > 0 && left <= CHECKED_MS;
    },

    async accept(account, token) {
      if (!token.solved) throw new ApiFailure('captcha_token_invalid', { reason: 'review' });
      await database.transaction(async (tx) => {
        if (!(await store.spend(tx, token.id, token.expiresAt)))
          throw new ApiFailure('captcha_token_invalid', { reason: 'captcha_token expired' });
        await store.put(tx, keyOf(account), {
          failures: 0,
          blockedUntil: 0,
          forgetAt: clock.now() + CHECKED_MS,
        });
      });
    },

    async verify(account, text) {
      const token = seals.openToken(text);
      if (!token) throw new ApiFailure('captcha_token_invalid', { reason: 'failed to decode' });
      if (token.expiresAt <= clock.now())
        throw new ApiFailure('captcha_token_invalid', { reason: 'captcha_token expired' });
      await humans.accept(account, token);
    },
  };
  return humans;
}
