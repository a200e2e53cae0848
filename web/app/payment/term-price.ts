/** Length and price of a term, in the currency's smallest unit. */
export interface TermAmount {
  /** 0 if the length is in days. */
  readonly months: number;
  readonly amount: number;
}

/** Price of each month, rounded up, so that no term looks cheaper than it is. */
export const monthlyAmount = (amount: number, months: number): number => Math.ceil(amount / months);

/**
 * Whole percent, rounded down, that a term saves compared with buying the shortest term of the same product again and
 * again; 0 if it saves nothing, or if either has a length in days.
 */
export function savingOf(term: TermAmount, all: readonly TermAmount[]): number {
  const [shortest] = all.filter(({ months }) => months > 0).toSorted((a, b) => a.months - b.months);
  if (!shortest || term.months <= shortest.months) return 0;
  const usual = shortest.amount * term.months;
  const paid = term.amount * shortest.months;
  return Math.max(0, Math.floor(((usual - paid) * 100) / usual));
}

/** Key of a length, the same for all products with it: `12m`, `30d`. */
export const lengthKey = ({ months, days }: { months: number; days: number }): string =>
  months > 0 ? `${months}m` : `${days}d`;

/** Lengths that products are sold for, each once, shortest first. */
export function lengthsOf<L extends { months: number; days: number }>(
  products: readonly { readonly terms: readonly L[] }[],
): L[] {
  const byKey = new Map(products.flatMap(({ terms }) => terms.map((term) => [lengthKey(term), term])));
  const daysOf = ({ months, days }: L): number => (months > 0 ? months * 30.4 : days);
  return [...byKey.values()].toSorted((a, b) => daysOf(a) - daysOf(b));
}
