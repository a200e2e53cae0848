import { localText, type Fields, type LocalText } from '@bowerbird/contract';
import { fieldsOf, listOf } from '../document.ts';

/** A tax that is included in all prices. */
export interface IncludedTax {
  readonly name: LocalText;
  /** Such as 19, or 8.875. */
  readonly percent: number;
}

/** Seller, as invoices name them. */
export interface Seller {
  readonly name: string;
  /** Lines of the address. */
  readonly address: readonly string[];
  /** Such as "VAT ID DE123456789"; "" for none. */
  readonly taxId: string;
}

/** Settings of invoices, from the administrator's document. */
export interface Invoicing {
  readonly seller: Seller;
  /** Beginning of the numbers. */
  readonly prefix: string;
  readonly tax: IncludedTax | undefined;
  /** Text below the total, such as the reason for which there is no tax; "" for none. */
  readonly note: LocalText;
}

const MOST_NAME = 120;
const MOST_LINES = 7;
const MOST_LINE = 80;
const MOST_NOTE = 500;
const PREFIX = /^[A-Z0-9][A-Z0-9/-]{0,11}$/i;
/** Percentages are exact to this many decimal places. */
export const PERCENT_DIGITS = 3;

function lineOf(value: unknown, what: string, most: number): string {
  if (typeof value === 'string' && value.trim() !== '' && value.length <= most) return value.trim();
  throw new Error(`${what} must be a text of up to ${most} characters`);
}

function sellerOf(value: unknown): Seller {
  const fields = fieldsOf(value, 'invoices.seller', ['name', 'address', 'tax_id']);
  const address = listOf(fields['address'], 'invoices.seller.address').map((line, at) =>
    lineOf(line, `invoices.seller.address[${at}]`, MOST_LINE),
  );
  if (address.length === 0 || address.length > MOST_LINES)
    throw new Error(`invoices.seller.address must have 1 to ${MOST_LINES} lines`);
  return {
    name: lineOf(fields['name'], 'invoices.seller.name', MOST_NAME),
    address,
    taxId:
      fields['tax_id'] === undefined ? '' : lineOf(fields['tax_id'], 'invoices.seller.tax_id', MOST_LINE),
  };
}

/** A text per language, of a limited length. */
function textsOf(value: unknown, what: string, most: number): LocalText {
  const text = localText(value, what);
  const all = typeof text === 'string' ? [text] : Object.values(text);
  if (all.some((one) => one.length > most)) throw new Error(`${what} must have up to ${most} characters`);
  return text;
}

function taxOf(value: unknown): IncludedTax {
  const fields = fieldsOf(value, 'invoices.tax', ['name', 'percent']);
  const percent = fields['percent'];
  const isExact =
    typeof percent === 'number' && percent > 0 && percent < 100 && exactPercent(percent) === percent;
  if (!isExact)
    throw new Error(
      `invoices.tax.percent must be a number between 0 and 100 with up to ${PERCENT_DIGITS} decimal places`,
    );
  return { name: textsOf(fields['name'], 'invoices.tax.name', MOST_LINE), percent };
}

const exactPercent = (percent: number): number => Number(percent.toFixed(PERCENT_DIGITS));

/**
 * Reads `invoices` of `external_products`; undefined if there is none. Throws a sentence about an error in the document.
 */
export function readInvoicing(document: Fields): Invoicing | undefined {
  if (document['invoices'] === undefined) return undefined;
  const fields = fieldsOf(document['invoices'], 'invoices', ['seller', 'prefix', 'tax', 'note']);
  const prefix = fields['prefix'] ?? '';
  if (typeof prefix !== 'string' || (prefix !== '' && !PREFIX.test(prefix)))
    throw new Error('invoices.prefix must consist of up to 12 letters, digits, "-" and "/"');
  return {
    seller: sellerOf(fields['seller']),
    prefix,
    tax: fields['tax'] === undefined ? undefined : taxOf(fields['tax']),
    note: fields['note'] === undefined ? '' : textsOf(fields['note'], 'invoices.note', MOST_NOTE),
  };
}
