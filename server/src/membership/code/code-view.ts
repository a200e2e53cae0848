import { textIn, type codeApi, type Locale, type ReplyOf } from '@bowerbird/contract';
import { maybeTimeText } from '../../foundation/index.ts';
import type { Redeemed } from './code-service.ts';

const DAY_MS = 24 * 3600 * 1000;

export function redeemedView(
  { kind, plan, bytes, length, endsAt }: Redeemed,
  locale: Locale,
): ReplyOf<typeof codeApi.redeem> {
  return {
    result: 'ACCEPTED',
    message: '',
    redirect_uri: '',
    add_days: Math.round(length / DAY_MS),
    data: {
      kind,
      name: plan ? textIn(plan.name, locale) : '',
      size: String(bytes),
      expire: maybeTimeText(endsAt),
    },
  };
}
