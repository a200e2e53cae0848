import {
  formatPrice,
  renewalApi,
  type Locale,
  type MemberRenewal,
  type PageServices,
} from '@bowerbird/contract';
import { textOf } from '#app/browser/form-text.ts';

/** A renewal with its price as readers see it. */
export type PricedRenewal = MemberRenewal & { readonly price: string };

export const pricedRenewal = (renewal: MemberRenewal, locale: Locale): PricedRenewal => ({
  ...renewal,
  price: formatPrice(locale, renewal.currency, renewal.amount),
});

/**
 * Day on which a term of months that begins at a time is charged again, as Stripe counts: the same day of a later month,
 * or its last one. RFC 3339.
 */
export function nextCharge(now: number, months: number): string {
  const begins = new Date(now);
  const last = new Date(Date.UTC(begins.getUTCFullYear(), begins.getUTCMonth() + months + 1, 0));
  last.setUTCDate(Math.min(begins.getUTCDate(), last.getUTCDate()));
  last.setUTCHours(begins.getUTCHours(), begins.getUTCMinutes());
  return last.toISOString();
}

/**
 * Does what a form of a renewal asks for. Returns the address of the payment service's page, if the member wants to change
 * how it is paid.
 */
export async function changeRenewal(
  { call }: Pick<PageServices, 'call'>,
  form: FormData,
  prefix: Locale | undefined,
): Promise<{ renewal: string; url: string } | undefined> {
  const id = textOf(form, 'renewal');
  const params = { id };
  switch (textOf(form, 'intent')) {
    case 'cancel':
      await call(renewalApi.cancel, { params });
      return undefined;
    case 'resume':
      await call(renewalApi.resume, { params });
      return undefined;
    default: {
      const body = prefix === undefined ? {} : { prefix };
      return { renewal: id, url: (await call(renewalApi.payment, { params, body })).url };
    }
  }
}
