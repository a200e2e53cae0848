import { expect, test } from 'vitest';
import { formatPrice } from '@bowerbird/contract';
import { readPlans } from '../plan/index.ts';
import { currencyFor } from './order.ts';
import { daysOfMonths, readCatalog } from './product.ts';
import { PLAN_SETTINGS } from '../../../testing/plan-settings.ts';

const DAY = 24 * 3600 * 1000;
const PLANS = { plans: [{ id: 'team', name: { 'en-US': 'Team', ja: 'チーム' } }] };
const BANK = { recipient: 'Ann Bower', account: 'DE02120300000000202051' };
const plans = readPlans(PLANS, PLAN_SETTINGS);
const read = (document: Record<string, unknown>) => readCatalog({ ...PLANS, ...document }, plans);
const term = { id: 'month', months: 1, price: { USD: 499 } };
const product = (more: object) => ({
  products: [{ id: 'team', kind: 'plan', plan: 'team', terms: [term], ...more }],
});

test('nothing is sold without products', () => {
  expect(read({})).toEqual({ products: [], currencies: [], bank: undefined });
});

test('products have the prices, lengths and texts of the document', () => {
  const { products, currencies, bank } = read({
    products: [
      {
        id: 'team',
        kind: 'plan',
        plan: 'team',
        terms: [{ id: 'year', months: 12, price: { EUR: 4990, JPY: 7900 } }],
      },
      {
        id: 'pack',
        kind: 'storage',
        bytes: '100 GB',
        name: '100 GB',
        description: { pt: 'Mais espaço' },
        terms: [{ id: 'week', days: 7, price: { JPY: 100, EUR: 99 } }],
      },
    ],
    bank_transfer: { ...BANK, note: { ja: '手数料はご負担ください' } },
  });
  expect(currencies).toEqual(['EUR', 'JPY']);
  expect(products).toEqual([
    {
      id: 'team',
      kind: 'plan',
      plan: plans.find('team'),
      bytes: 0,
      name: { 'en-US': 'Team', ja: 'チーム' },
      description: undefined,
      terms: [
        {
          id: 'year',
          months: 12,
          days: 0,
          length: 366 * DAY,
          renews: false,
          prices: { EUR: 4990, JPY: 7900 },
        },
      ],
    },
    {
      id: 'pack',
      kind: 'storage',
      plan: undefined,
      bytes: 100 * 2 ** 30,
      name: '100 GB',
      description: { pt: 'Mais espaço' },
      terms: [
        { id: 'week', months: 0, days: 7, length: 7 * DAY, renews: false, prices: { JPY: 100, EUR: 99 } },
      ],
    },
  ]);
  expect(bank).toEqual({ ...BANK, bank: '', bic: '', note: { ja: '手数料はご負担ください' } });
});

test.each([
  [{ products: {} }, 'products must be a list'],
  [{ products: [1] }, 'products[0] must be an object'],
  [product({ kind: 'car' }), 'products[0].kind must be plan, storage or traffic'],
  [product({ plan: 'free' }), 'products[0].plan must be one of the plans: team, vip'],
  [product({ bytes: '1 GB' }), 'products[0] has an unknown field bytes'],
  [product({ id: 'Team 1' }), 'products[0].id must be a short name in small letters and digits'],
  [product({ terms: [] }), 'products[0].terms must not be empty'],
  [product({ terms: [term, term] }), 'products[0].terms has month twice'],
  [product({ terms: [{ ...term, days: 3 }] }), 'products[0].terms[0] must have either months or days'],
  [
    product({ terms: [{ ...term, months: 0.5 }] }),
    'products[0].terms[0].months must be a whole number from 1 to 120',
  ],
  [
    product({ terms: [{ ...term, price: 499 }] }),
    'products[0].terms[0].price must be an object with one amount',
  ],
  [
    product({ terms: [{ ...term, price: { USD: 4.99 } }] }),
    'products[0].terms[0].price.USD, in the smallest unit',
  ],
  [
    product({ terms: [{ ...term, price: { USD: 0 } }] }),
    'products[0].terms[0].price.USD, in the smallest unit',
  ],
  [
    product({ terms: [{ ...term, price: { XYZ: 1 } }] }),
    'products[0].terms[0].price has an unknown currency XYZ',
  ],
  [
    product({ terms: [term, { ...term, id: 'year', price: { EUR: 1 } }] }),
    'products[0].terms[1].price must have the same currencies as the first price: USD',
  ],
  [{ products: [...product({}).products, ...product({}).products] }, 'products has team twice'],
  [
    { products: [{ id: 'pack', kind: 'storage', bytes: '0', name: 'x', terms: [term] }] },
    'products[0].bytes must be a size such as 100 GB',
  ],
  [product({}), 'products can only be paid for if there is a bank_transfer'],
  [
    { ...product({ terms: [{ ...term, renews: true }] }), bank_transfer: BANK },
    'products[0].terms[0].renews needs STRIPE_SECRET_KEY: only Stripe can charge a member again',
  ],
  [product({ terms: [{ ...term, renews: 1 }] }), 'products[0].terms[0].renews must be true or false'],
  [
    product({ terms: [{ id: 'week', days: 7, renews: true, price: { USD: 1 } }] }),
    'products[0].terms[0].renews is only possible for a term of 1 to 36 months',
  ],
  [
    product({ terms: [{ ...term, months: 48, renews: true }] }),
    'products[0].terms[0].renews is only possible for a term of 1 to 36 months',
  ],
  [
    {
      products: [
        { id: 'pack', kind: 'storage', bytes: '1 GB', name: 'x', terms: [{ ...term, renews: true }] },
      ],
    },
    'products[0].terms[0].renews is only possible for a plan: storage is bought once',
  ],
  [{ bank_transfer: { recipient: 'Ann' } }, 'bank_transfer.account must be a text of up to 200 characters'],
  [{ bank_transfer: { ...BANK, iban: '1' } }, 'bank_transfer has an unknown field iban'],
])('an error in the document is explained: %j', (document, message) => {
  expect(() => read(document)).toThrow(message);
});

test('a term of a plan renews if the document says so and Stripe can charge it', () => {
  const terms = [
    { ...term, renews: true },
    { ...term, id: 'once', renews: false },
  ];
  const [plan] = readCatalog({ ...PLANS, ...product({ terms }) }, plans, true).products;
  expect(plan!.terms.map(({ renews }) => renews)).toEqual([true, false]);
});

test('months last at least as long as any such months of the calendar', () => {
  for (let months = 1; months <= 25; months++)
    for (let first = 0; first < 48; first++)
      for (const day of [1, 28, 30, 31]) {
        const begins = Date.UTC(2027, first, day);
        // The same day of a later month, or the last day of a shorter one.
        const last = new Date(Date.UTC(2027, first + months + 1, 0)).getUTCDate();
        const begun = new Date(begins);
        const ends = Date.UTC(
          begun.getUTCFullYear(),
          begun.getUTCMonth() + months,
          Math.min(begun.getUTCDate(), last),
        );
        expect(begins + daysOfMonths(months) * DAY).toBeGreaterThanOrEqual(ends);
      }
  expect([1, 2, 12].map(daysOfMonths)).toEqual([31, 62, 366]);
});

test('prices are exact, in the language of the reader and with the decimals of the currency', () => {
  expect(formatPrice('en-US', 'USD', 499)).toBe('$4.99');
  expect(formatPrice('en-US', 'USD', 5)).toBe('$0.05');
  expect(formatPrice('ja', 'JPY', 7900)).toBe('￥7,900');
  expect(formatPrice('pt', 'BRL', 123_456).replaceAll('\u00A0', ' ')).toBe('R$ 1.234,56');
  expect(formatPrice('en-US', 'KWD', 1001).replaceAll('\u00A0', ' ')).toBe('KWD 1.001');
});

test('the currency is that of the country, or of the language, if there are prices in it', () => {
  const all = ['USD', 'EUR', 'JPY'];
  expect(currencyFor(all, 'DE', 'en-US')).toBe('EUR');
  expect(currencyFor(all, '', 'ja')).toBe('JPY');
  expect(currencyFor(all, 'US', 'ja')).toBe('USD');
  expect(currencyFor(all, 'BR', 'pt')).toBe('USD');
  expect(currencyFor([], 'DE', 'pt')).toBe('');
});
