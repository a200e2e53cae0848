import { ApiFailure, type ErrorId } from '@bowerbird/contract';
import type { Tx } from '../foundation/database/index.ts';
import type { Benefits, Entitlements } from './plan/index.ts';

const REFUSALS = {
  shares: 'share_limit',
  subscriptions: 'subscription_limit',
} as const satisfies Partial<Record<keyof Entitlements, ErrorId>>;

/** Limits of how many of something a member has at the same time. */
type CountLimit = keyof typeof REFUSALS;

export interface CountLimits {
  /**
   * Throws `share_limit` or `subscription_limit` unless the account may have one more than `count` returns. Parallel
   * calls for an account wait for each other until their transactions end. Without a limit nothing is counted.
   */
  check(tx: Tx, account: string, limit: CountLimit, count: () => Promise<number>): Promise<void>;
}

export function createCountLimits({
  benefits,
}: {
  benefits: Pick<Benefits, 'least' | 'entitlements' | 'isMoreSold'>;
}): CountLimits {
  const { least } = benefits;
  return {
    async check(tx, account, name, count) {
      if (least[name] === Infinity) return;
      await tx.lock(`${name}:${account}`);
      const present = await count();
      // Plans are looked up only for those who have reached what everybody may have.
      if (present < least[name]) return;
      const limit = (await benefits.entitlements(tx, account))[name];
      if (present < limit) return;
      throw new ApiFailure(REFUSALS[name], {
        limit: String(limit),
        ...(benefits.isMoreSold(name, limit) ? { more: 'plan' } : {}),
      });
    },
  };
}
