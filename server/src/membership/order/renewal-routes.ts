import { renewalApi } from '@bowerbird/contract';
import type { Api } from '../../foundation/http/index.ts';
import type { Guard } from '../../shield/index.ts';
import type { Renewals } from './renewal-service.ts';
import { renewalView } from './renewal-view.ts';

export function mountRenewals(
  api: Api,
  {
    renewals,
    paying,
  }: { renewals: Renewals; /** Limits the requests to the payment service. */ paying: Guard },
): void {
  api.handle(renewalApi.list, async ({ viewer, caller: { locale } }) => ({
    renewals: (await renewals.list(viewer.account)).map((one) => renewalView(one, locale)),
  }));

  api.handle(renewalApi.cancel, async ({ params, viewer, caller: { locale, address } }) => {
    await paying.attempt(viewer.account, address);
    return renewalView(await renewals.cancel(viewer.account, params.id), locale);
  });

  api.handle(renewalApi.resume, async ({ params, viewer, caller: { locale, address } }) => {
    await paying.attempt(viewer.account, address);
    return renewalView(await renewals.resume(viewer.account, params.id), locale);
  });

  api.handle(
    renewalApi.payment,
    async ({ params, body: { prefix }, viewer, caller: { locale, origin, address } }) => {
      await paying.attempt(viewer.account, address);
      const returnTo = `${origin}${prefix === undefined ? '' : `/${prefix}`}/drive/payment`;
      return { url: await renewals.settings(viewer.account, params.id, { locale, returnTo }) };
    },
  );
}
