import { codeApi } from '@bowerbird/contract';
import type { Api, Caller } from '../../foundation/http/index.ts';
import type { Codes, Redeemed } from './code-service.ts';
import { redeemedView } from './code-view.ts';

/** Accepts the code of another kind; undefined if it isn't one. */
type OtherCodes = (account: string, caller: Caller, typed: string) => Promise<Redeemed | undefined>;

export function mountCodes(api: Api, codes: Codes, redeemOther: OtherCodes): void {
  api.handle(
    codeApi.redeem,
    {
      underKey: 'joined',
      // Not joined: a failed attempt counts.
      prepare: async ({ body: { activation_code: typed }, viewer: { account }, caller }) => {
        const other = await redeemOther(account, caller, typed);
        return other ?? codes.find(typed, { account, address: caller.address });
      },
    },
    async ({ viewer, caller }, found) =>
      redeemedView('digest' in found ? await codes.redeem(found, viewer.account) : found, caller.locale),
  );
}
