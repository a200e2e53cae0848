import { ArrowUpRight } from 'lucide-react';
import { useFormat } from '#app/i18n/format.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import type { PricedProduct } from './offering.ts';

/** The plans for sale in a few lines, each with the price of its cheapest term per month; they open in the shop. */
export function WidgetPlans({ plans }: { plans: readonly PricedProduct[] }) {
  const t = useT();
  const format = useFormat();
  const path = useLocalePath();
  return (
    <ul>
      {plans.map(({ id, name, limits, terms }) => {
        const best = terms.toSorted((a, b) => b.saving - a.saving)[0]!;
        const price = best.perMonth ?? (best.months === 1 ? best.price : undefined);
        return (
          <li key={id} className="border-b border-line last:border-b-0">
            <a
              href={path(`/inapp/shop?product=${encodeURIComponent(id)}&term=${encodeURIComponent(best.id)}`)}
              target="_blank"
              rel="noopener"
              className="flex items-center gap-3 rounded-small py-2.5"
            >
              <span className="min-w-0 flex-1">
                <span className="block truncate text-13 font-medium">{name}</span>
                <span className="block text-12 text-ink-3 tabular-nums">
                  {limits && t('payment.limit.storage', { size: format.bytes(limits.storage) })}
                </span>
              </span>
              <span className="text-end text-12 tabular-nums">
                {price === undefined ? best.price : t('shop.from', { price })}
              </span>
              <ArrowUpRight aria-hidden="true" className="size-4 shrink-0 text-ink-3" />
            </a>
          </li>
        );
      })}
    </ul>
  );
}
