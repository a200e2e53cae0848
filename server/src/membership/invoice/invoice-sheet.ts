import { formatPrice, textIn, type InvoiceSheet, type Locale, type SheetLine } from '@bowerbird/contract';
import { message } from '../../foundation/index.ts';
import type { Buyer, InvoiceContent, InvoiceRow } from './invoice.ts';

/** A payment without an invoice, because nobody is named as the seller. */
export interface Receipt {
  readonly seller: string;
  readonly buyer: Buyer;
  readonly reference: string;
  readonly currency: string;
  readonly amount: number;
  readonly product: InvoiceContent['product'];
  readonly paidAt: number;
  readonly paidBy: InvoiceContent['paidBy'];
  readonly refundedAt: number | undefined;
}

const MOST_TEXT = 300;
/** Control characters, and those that change the direction of the text around them or can't be seen. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]+/gu;

/** A text by a stranger as a page may contain it: one line of visible characters. */
const printable = (text: string): string =>
  text.normalize('NFC').replaceAll(HIDDEN, ' ').replaceAll(/\s+/g, ' ').trim().slice(0, MOST_TEXT);

/** A date as people write it in their language, in UTC. */
const dateIn = (locale: Locale, time: number): string =>
  new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(time);

/** A reference in two groups, as on the page of the order. */
const spaced = (reference: string): string => reference.replace(/^(.{4})(?=.)/, '$1 ');

const percentIn = (locale: Locale, percent: number): string =>
  new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 3 }).format(percent / 100);

type Say = (key: string, values?: Readonly<Record<string, string | number>>) => string;

function termOf(say: Say, { months, days }: InvoiceContent['product']): string {
  return months > 0 ? say('payment.months', { count: months }) : say('payment.days', { count: days });
}

/** The parts that invoices and receipts have in common. */
function common(
  locale: Locale,
  {
    product,
    currency,
    amount,
    buyer,
  }: Pick<Receipt, 'product' | 'currency' | 'amount'> & { buyer: Buyer | undefined },
) {
  const say: Say = (key, values) => message(locale, key, values);
  const price = (units: number): string => formatPrice(locale, currency, units);
  const lines = [buyer?.name ?? '', buyer?.contact ?? ''].map(printable).filter((line) => line !== '');
  const name = printable(textIn(product.name, locale));
  return {
    say,
    price,
    buyer: { label: say('invoice.buyer'), lines: lines.length === 0 ? ['–'] : lines },
    columns: {
      item: say('invoice.item'),
      quantity: say('invoice.quantity'),
      amount: say('invoice.amount'),
    },
    item: { name, details: termOf(say, product), quantity: '1', amount: price(amount) },
  };
}

function paidNote(say: Say, locale: Locale, { paidAt, paidBy }: Pick<Receipt, 'paidAt' | 'paidBy'>): string {
  return say(`invoice.paid.${paidBy}`, { date: dateIn(locale, paidAt) });
}

/** An invoice or credit note in a language. */
export function sheetOf(invoice: InvoiceRow, locale: Locale): InvoiceSheet {
  const { content, code, kind, issuedAt, amount } = invoice;
  const { seller, tax, cancels } = content;
  const { say, price, ...parts } = common(locale, { ...invoice, product: content.product });
  const heading = say(`invoice.${kind}`);
  const sums: SheetLine[] = tax
    ? [
        { label: say('invoice.net'), value: price(amount - tax.amount) },
        {
          label: say('invoice.tax', {
            name: textIn(tax.name, locale),
            percent: percentIn(locale, tax.percent),
          }),
          value: price(tax.amount),
        },
      ]
    : [];
  const note = textIn(content.note, locale);
  return {
    ...parts,
    locale,
    title: `${heading} ${code}`,
    heading,
    issuedAt,
    seller: { name: seller.name, lines: [...seller.address, ...(seller.taxId === '' ? [] : [seller.taxId])] },
    facts: [
      { label: say('invoice.number'), value: code },
      { label: say('invoice.date'), value: dateIn(locale, issuedAt) },
      { label: say('invoice.order'), value: spaced(invoice.reference) },
      ...(cancels
        ? [
            { label: say('invoice.cancels'), value: cancels.code },
            { label: say('invoice.cancelsDate'), value: dateIn(locale, cancels.issuedAt) },
          ]
        : []),
    ],
    sums,
    total: { label: say(cancels ? 'invoice.refunded' : 'invoice.total'), value: price(amount) },
    notes: [
      cancels ? say('invoice.credit', { code: cancels.code }) : paidNote(say, locale, content),
      ...(note === '' ? [] : [note]),
    ],
    footer: [seller.name, ...seller.address, seller.taxId].filter((part) => part !== '').join(' · '),
  };
}

/** A receipt in a language. */
export function receiptSheet(receipt: Receipt, locale: Locale): InvoiceSheet {
  const { say, price, ...parts } = common(locale, receipt);
  const heading = say('invoice.receipt');
  const { reference, paidAt, refundedAt } = receipt;
  return {
    ...parts,
    locale,
    title: `${heading} ${reference}`,
    heading,
    issuedAt: paidAt,
    seller: { name: receipt.seller, lines: [] },
    facts: [
      { label: say('invoice.order'), value: spaced(reference) },
      { label: say('invoice.date'), value: dateIn(locale, paidAt) },
    ],
    sums: [],
    total: { label: say('invoice.total'), value: price(receipt.amount) },
    notes: [
      paidNote(say, locale, receipt),
      ...(refundedAt === undefined ? [] : [say('invoice.returned', { date: dateIn(locale, refundedAt) })]),
    ],
    footer: receipt.seller,
  };
}
