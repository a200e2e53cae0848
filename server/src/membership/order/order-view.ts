import {
  LIMITS,
  textIn,
  type BankAccount,
  type Locale,
  type MemberOrder,
  type OrderDocument,
  type PlanLimits,
  type Product,
} from '@bowerbird/contract';
import { maybeTimeText, timeText } from '../../foundation/index.ts';
import type { InvoiceRow } from '../invoice/index.ts';
import type { Entitlements, HeldPlan } from '../plan/index.ts';
import type { OrderRow } from './order.ts';
import type { BankDetails, CatalogProduct, ProductTerm } from './product.ts';
import type { CurrentPrices } from './sale.ts';

/** The protocol's value for no limit. */
const WITHOUT_LIMIT = -1;
const limited = (count: number): number => (count === Infinity ? WITHOUT_LIMIT : count);

export const limitsView = (entitlements: Entitlements): PlanLimits => ({
  storage: String(entitlements.storage),
  tasks_daily: limited(entitlements.tasksDaily),
  tasks_running: limited(entitlements.tasksRunning),
  task_size: String(entitlements.taskSize),
  offline_monthly: String(limited(entitlements.offlineMonthly)),
  download_monthly: String(limited(entitlements.downloadMonthly)),
  upload_monthly: String(limited(entitlements.uploadMonthly)),
  download_speed: String(limited(entitlements.downloadSpeed)),
  shares: limited(entitlements.shares),
  subscriptions: limited(entitlements.subscriptions),
  versions: Math.min(entitlements.versions, LIMITS.versions),
  version_days: limited(entitlements.versionDays),
  trash_days: limited(entitlements.trashDays),
});

export const heldView = ({ plan, endsAt }: HeldPlan, locale: Locale) => ({
  plan: plan.id,
  name: textIn(plan.name, locale),
  expire: maybeTimeText(endsAt),
});

export const productView = (
  product: CatalogProduct,
  pricesOf: (term: ProductTerm) => CurrentPrices,
  locale: Locale,
): Product => ({
  id: product.id,
  kind: product.kind,
  name: textIn(product.name, locale),
  description: product.description === undefined ? '' : textIn(product.description, locale),
  plan: product.plan?.id ?? '',
  limits: product.plan ? limitsView(product.plan.entitlements) : null,
  bytes: String(product.bytes),
  terms: product.terms.map((term) => {
    const { prices, sale } = pricesOf(term);
    return {
      id: term.id,
      months: term.months,
      days: term.days,
      renews: term.renews,
      prices,
      regular_prices: sale?.regular ?? {},
      sale_end_time: maybeTimeText(sale?.ends),
    };
  }),
});

/** PDF files about an order, given the invoices and credit notes of its account. */
export function documentsOf({ id, state }: OrderRow, invoices: readonly InvoiceRow[]): OrderDocument[] {
  if (state !== 'paid' && state !== 'refunded') return [];
  const own = invoices.filter(({ buyer }) => buyer?.order === id);
  if (own.length === 0) return [{ kind: 'receipt', number: '' }];
  return own.map(({ kind, code }) => ({ kind, number: code }));
}

/** An order for its member. Without the invoices of the account, no documents are listed: others can't download them. */
export const orderView = (
  order: OrderRow,
  locale: Locale,
  invoices?: readonly InvoiceRow[],
): MemberOrder => ({
  id: order.id,
  reference: order.reference,
  state: order.state,
  kind: order.kind,
  name: textIn(order.name, locale),
  bytes: String(order.bytes),
  months: order.months,
  days: order.days,
  renews: order.renews,
  currency: order.currency,
  amount: order.amount,
  created_time: timeText(order.createdAt),
  expire_time: timeText(order.expiresAt),
  paid_time: maybeTimeText(order.paidAt),
  ended_time: maybeTimeText(order.endedAt),
  documents: invoices ? documentsOf(order, invoices) : [],
});

export const bankView = ({ note, ...details }: BankDetails, locale: Locale): BankAccount => ({
  ...details,
  note: textIn(note, locale),
});
