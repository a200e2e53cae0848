import { maybeTimeText, timeText } from '../foundation/index.ts';
import type { Invoices, Orders, Payments, Renewals } from '../membership/index.ts';
import type { Section } from './takeout-content.ts';

export interface PurchaseParts {
  readonly orders: Pick<Orders, 'list'>;
  readonly invoices: Pick<Invoices, 'ofAccount'>;
  readonly payments: Pick<Payments, 'ofAccount'>;
  readonly renewals: Pick<Renewals, 'list'>;
}

/** Rows as objects, one after the other. */
export async function* each<Row>(
  rows: Promise<readonly Row[]>,
  view: (row: Row) => object,
): AsyncGenerator<object> {
  for (const row of await rows) yield view(row);
}

/** Collects what a member bought: orders, invoices, payments and renewals. */
export function purchaseFacts(parts: PurchaseParts, account: string): Section[] {
  return [
    {
      name: 'orders',
      rows: each(parts.orders.list(account), (one) => ({
        reference: one.reference,
        state: one.state,
        kind: one.kind,
        name: one.name,
        plan: one.plan,
        bytes: String(one.bytes),
        months: one.months,
        days: one.days,
        currency: one.currency,
        amount: one.amount,
        created_at: timeText(one.createdAt),
        expires_at: timeText(one.expiresAt),
        paid_at: maybeTimeText(one.paidAt),
        ended_at: maybeTimeText(one.endedAt),
      })),
    },
    {
      name: 'invoices',
      rows: each(parts.invoices.ofAccount(account), (one) => ({
        number: one.code,
        kind: one.kind,
        order: one.reference,
        issued_at: timeText(one.issuedAt),
        currency: one.currency,
        amount: one.amount,
        name: one.buyer?.name ?? '',
        contact: one.buyer?.contact ?? '',
        seller: one.content.seller,
        product: one.content.product,
        tax: one.content.tax ?? null,
        paid_by: one.content.paidBy,
        paid_at: timeText(one.content.paidAt),
        cancels: one.content.cancels?.code ?? '',
      })),
    },
    {
      name: 'payments',
      rows: each(parts.payments.ofAccount(account), (one) => ({
        id: one.id,
        order: one.order,
        state: one.state,
        currency: one.currency,
        amount: one.amount,
        received_at: timeText(one.receivedAt),
      })),
    },
    {
      name: 'renewals',
      rows: each(parts.renewals.list(account, true), (one) => ({
        id: one.subscription,
        state: one.state,
        order: one.firstOrder,
        plan: one.plan,
        created_at: timeText(one.createdAt),
        next_charge_at: maybeTimeText(one.nextAt),
        ended_at: maybeTimeText(one.endedAt),
      })),
    },
  ];
}
