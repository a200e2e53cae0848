import { ApiFailure } from '@bowerbird/contract';
import { useErrorText } from '#app/api/error-text.ts';
import { rememberCurrency } from '#app/browser/currency-cookie.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import type { Refusal } from './offering.ts';

/** Links to the prices in other currencies, which remember the choice; nothing if there is only one. */
export function CurrencyLinks({
  path,
  query = new URLSearchParams(),
  currencies,
  chosen,
}: {
  path: string;
  /** Parameters that the links keep. */
  query?: URLSearchParams;
  currencies: readonly string[];
  chosen: string;
}) {
  const t = useT();
  if (currencies.length < 2) return null;
  return (
    <nav aria-label={t('payment.currency')} className="flex flex-wrap items-center gap-1">
      {currencies.map((currency) => (
        <LocaleLink
          key={currency}
          to={`${path}?${new URLSearchParams([...query].filter(([name]) => name !== 'currency').concat([['currency', currency]]))}`}
          onClick={() => rememberCurrency(currency)}
          aria-current={currency === chosen ? 'true' : undefined}
          preventScrollReset
          className={cx(
            'grid h-10 min-w-12 place-items-center rounded-control px-3 font-medium tabular-nums',
            currency === chosen ? 'bg-blue-wash text-blue-strong' : 'text-ink-2 hover:bg-hover',
          )}
        >
          {currency}
        </LocaleLink>
      ))}
    </nav>
  );
}

/** Why an order was refused. */
export function RefusalText({ refusal }: { refusal: Refusal | undefined }) {
  const textFor = useErrorText();
  if (!refusal) return null;
  return (
    <p role="alert" className="rounded-card bg-danger-wash px-4 py-3 text-danger">
      {textFor(new ApiFailure(refusal.id, refusal.facts, refusal.text))}
    </p>
  );
}
