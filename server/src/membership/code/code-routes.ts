import { codeApi } from '@bowerbird/contract';
import type { Api } from '../../foundation/http/index.ts';
import type { Codes } from './code-service.ts';
import { redeemedView } from './code-view.ts';

export function mountCodes(api: Api, codes: Codes): void {
  api.handle(
    codeApi.redeem,
    {
      underKey: 'joined',
      // Not joined: a failed attempt counts.
      prepare: ({ body, viewer: { account }, caller: { address } }) =>
        codes.find(body.activation_code, { account, address }),
    },
    async ({ viewer, caller }, code) => redeemedView(await codes.redeem(code, viewer.account), caller.locale),
  );
}
