/** Currencies that have no decimal places at Stripe, and those that have three (https://docs.stripe.com/currencies). */
const WHOLE: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
);
const THREE: ReadonlySet<string> = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND']);

/** Stripe's units in one of ours: it has its own decimal places for some currencies, such as ISK and IDR. */
function factorOf(currency: string): number {
  const own = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions();
  const places = WHOLE.has(currency) ? 0 : THREE.has(currency) ? 3 : 2;
  return 10 ** (places - (own.maximumFractionDigits ?? 2));
}

/** Amount in the unit of Stripe's API, from one in the currency's smallest unit; undefined if Stripe can't charge it. */
export function toStripe(currency: string, amount: number): number | undefined {
  const there = amount * factorOf(currency);
  // It rounds amounts with three decimal places to two.
  const isPossible = Number.isSafeInteger(there) && !(THREE.has(currency) && there % 10 !== 0);
  return isPossible ? there : undefined;
}

/** The reverse of {@link toStripe}; -1 if the amount is not a whole number of the currency's smallest unit. */
export function fromStripe(currency: string, amount: number): number {
  const here = amount / factorOf(currency);
  return Number.isSafeInteger(here) ? here : -1;
}
