import type { LocalText, ProductKind } from '@bowerbird/contract';
import { PERCENT_DIGITS, type IncludedTax, type Seller } from './invoicing.ts';

export type InvoiceKind = 'invoice' | 'credit_note';
/** Ways to pay: by bank transfer, or with a payment service. */
export type PaidBy = 'transfer' | 'online';

/** Member who bought something, as an invoice names them. */
export interface Buyer {
  readonly account: string;
  /** Id of the order. */
  readonly order: string;
  /** "" if unknown. */
  readonly name: string;
  /** Email address, or else the phone number; "" if unknown. */
  readonly contact: string;
}

/** Texts and facts of an invoice besides its number, date, amount and buyer. They never change. */
export interface InvoiceContent {
  readonly seller: Seller;
  readonly note: LocalText;
  readonly product: {
    readonly name: LocalText;
    readonly kind: ProductKind;
    readonly bytes: number;
    readonly months: number;
    readonly days: number;
  };
  readonly quantity: number;
  /** The tax in the amount, in the currency's smallest unit. */
  readonly tax: (IncludedTax & { readonly amount: number }) | undefined;
  readonly paidAt: number;
  readonly paidBy: PaidBy;
  /** The invoice that a credit note cancels. */
  readonly cancels: { readonly code: string; readonly issuedAt: number } | undefined;
}

/** An issued invoice or credit note. */
export interface InvoiceRow {
  /** Position in the one series of all invoices and credit notes, from 1. */
  readonly number: number;
  /** The number as it is printed, with its prefix. */
  readonly code: string;
  readonly kind: InvoiceKind;
  /** The order's reference. */
  readonly reference: string;
  readonly issuedAt: number;
  readonly currency: string;
  /** In the currency's smallest unit; also in credit notes it's positive. */
  readonly amount: number;
  readonly content: InvoiceContent;
  /** Undefined once the account was erased. */
  readonly buyer: Buyer | undefined;
}

/** Facts about an order that its invoice needs. */
export interface Sale {
  readonly id: string;
  readonly account: string;
  readonly reference: string;
  readonly kind: ProductKind;
  readonly name: LocalText;
  readonly bytes: number;
  readonly months: number;
  readonly days: number;
  readonly currency: string;
  readonly amount: number;
  readonly paidAt: number | undefined;
}

const NUMBER_DIGITS = 6;

/** `BB-000042`. */
export const codeOf = (prefix: string, number: number): string =>
  prefix + String(number).padStart(NUMBER_DIGITS, '0');

/** The tax that is included in an amount, rounded half up to the currency's smallest unit. */
export function includedTax(amount: number, percent: number): number {
  const scale = 10 ** PERCENT_DIGITS;
  const part = BigInt(Math.round(percent * scale));
  const whole = 100n * BigInt(scale) + part;
  return Number((BigInt(amount) * part * 2n + whole) / (whole * 2n));
}

export const productOf = ({ name, kind, bytes, months, days }: Sale): InvoiceContent['product'] => ({
  name,
  kind,
  bytes,
  months,
  days,
});
