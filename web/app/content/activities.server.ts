import {
  activityApi,
  formatPrice,
  orderApi,
  splitLocale,
  type ActivitySummary,
  type GiftCalendar,
  type Locale,
  type PageServices,
} from '@bowerbird/contract';
import { chosenCurrency } from '#app/browser/currency-cookie.ts';
import type { CalendarNames, SaleProduct } from '#app/membership/index.ts';

/**
 * The activity that an address asks for by the name of its page, and by an id if there are several: the one that runs,
 * or else the next or the last one. Its state comes with the reply, so that pages that were rendered before it ended
 * aren't shown any more.
 */
export async function activityNamed(
  { call }: PageServices,
  name: string | null | undefined,
  id: string | null,
): Promise<ActivitySummary | undefined> {
  const { activities } = await call(activityApi.list, {});
  const ofName = activities.filter((activity) => activity.name === name);
  if (id !== null) return ofName.find((activity) => activity.id === id);
  const inState = (state: ActivitySummary['state']) => ofName.find((activity) => activity.state === state);
  return inState('running') ?? inState('coming') ?? ofName.at(-1);
}

export function activityAt(services: PageServices, url: URL): Promise<ActivitySummary | undefined> {
  return activityNamed(services, splitLocale(url.pathname).path.split('/')[2], url.searchParams.get('id'));
}

/** Current activity, for pages that link to it. */
export interface RunningActivity {
  readonly id: string;
  /** Path of its page, without a locale. */
  readonly path: string;
  readonly title: string;
  /** ISO time. */
  readonly ends: string;
}

export async function runningActivities({ call }: PageServices): Promise<RunningActivity[]> {
  const { activities } = await call(activityApi.list, {});
  return activities
    .filter(({ state }) => state === 'running')
    .map(({ id, path, title, end_time: ends }) => ({ id, path, title, ends }));
}

/**
 * Products on sale, with prices in the chosen currency. Formatted on the server, because a browser may know other
 * formats.
 */
export async function saleProducts(
  { call, locale, cookies }: PageServices,
  url: URL,
): Promise<SaleProduct[]> {
  const { products, ...rest } = await call(orderApi.products, {});
  const chosen = chosenCurrency(rest, url.searchParams, cookies);
  return products.flatMap(({ id, kind, name, terms }) => {
    const onSale = terms.flatMap(({ months, days, prices, regular_prices: regular, ...term }) =>
      regular[chosen] === undefined
        ? []
        : [
            {
              id: term.id,
              months,
              days,
              price: formatPrice(locale, chosen, prices[chosen] ?? 0),
              regular: formatPrice(locale, chosen, regular[chosen]),
            },
          ],
    );
    return onSale.length === 0 ? [] : [{ id, kind, name, currency: chosen, terms: onSale }];
  });
}

/** Formats the dates of a calendar on the server, so that a browser with other names shows the same. */
export function calendarNames({ days }: GiftCalendar, locale: Locale): CalendarNames {
  const name = (day: string, options: Intl.DateTimeFormatOptions): string =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(Date.parse(day));
  return Object.fromEntries(
    days.map(({ day }, at) => [
      day,
      {
        date: name(day, { day: 'numeric', month: 'long' }),
        month: at === 0 || day.endsWith('-01') ? name(day, { month: 'short' }) : '',
      },
    ]),
  );
}
