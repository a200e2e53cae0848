import type { InvoiceSheet, Locale } from '@bowerbird/contract';
import type { Accounts } from '../../account/index.ts';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import type { Clock } from '../../foundation/index.ts';
import { receiptSheet, sheetOf, type Receipt } from './invoice-sheet.ts';
import { invoiceStore } from './invoice-store.ts';
import {
  codeOf,
  includedTax,
  productOf,
  type Buyer,
  type InvoiceKind,
  type InvoiceRow,
  type PaidBy,
  type Sale,
} from './invoice.ts';
import type { Invoicing } from './invoicing.ts';
import type { Printer } from './printer.ts';

/** A PDF file. */
export interface PrintedFile {
  /** In the language of the file: "Invoice BB-000042.pdf". */
  readonly name: string;
  readonly bytes: Buffer;
}

/**
 * Invoices of orders. They are issued in the transaction that pays or refunds an order, with consecutive numbers, and
 * never change. Without a seller in the administrator's document none are issued, and paid orders have receipts.
 */
export interface Invoices {
  /** Issues the invoice of an order that has just been paid; undefined without a seller. */
  issue(tx: Tx, sale: Sale, paidBy: PaidBy): Promise<InvoiceRow | undefined>;
  /** Issues the credit note of an order that has just been refunded; undefined if it has no invoice. */
  credit(tx: Tx, sale: Sale): Promise<InvoiceRow | undefined>;
  /** The invoice or credit note of an order with this reference, also of an account that was erased. */
  find(reference: string, kind: InvoiceKind): Promise<InvoiceRow | undefined>;
  /** Invoices and credit notes of an account, oldest first. */
  ofAccount(account: string): Promise<InvoiceRow[]>;
  /** Invoices and credit notes of all accounts after a number, in their order. */
  page(after: number, limit: number): Promise<InvoiceRow[]>;
  /** An invoice or credit note as PDF. Throws `unavailable`. */
  pdf(invoice: InvoiceRow, locale: Locale): Promise<PrintedFile>;
  /** A receipt as PDF, for a paid order without an invoice. Throws `unavailable`. */
  receipt(
    sale: Sale,
    facts: { paidBy: PaidBy; refundedAt: number | undefined },
    locale: Locale,
  ): Promise<PrintedFile>;
}

interface Parts {
  readonly database: Database;
  readonly accounts: Pick<Accounts, 'find'>;
  readonly invoicing: Invoicing | undefined;
  /** Name of the seller on receipts. */
  readonly operator: string;
  readonly printer: Pick<Printer, 'print'>;
  readonly clock: Clock;
}

export function createInvoices({ database, accounts, invoicing, operator, printer, clock }: Parts): Invoices {
  async function buyerOf(sql: Sql, { account: id, id: order }: Sale): Promise<Buyer> {
    const account = await accounts.find(sql, id);
    const contact = account?.email || account?.phone || '';
    return { account: id, order, name: account?.name ?? '', contact };
  }

  /** Assigns the next number. The last step of a transaction, since all others that need a number wait for its end. */
  async function insert(
    tx: Tx,
    prefix: string,
    draft: Omit<InvoiceRow, 'number' | 'code' | 'issuedAt'>,
  ): Promise<InvoiceRow> {
    const number = await invoiceStore.nextNumber(tx);
    const invoice = { ...draft, number, code: codeOf(prefix, number), issuedAt: clock.now() };
    await invoiceStore.insert(tx, invoice);
    return invoice;
  }

  async function printed(sheet: InvoiceSheet): Promise<PrintedFile> {
    return { name: `${sheet.title.replaceAll('/', '-')}.pdf`, bytes: await printer.print(sheet) };
  }

  return {
    async issue(tx, sale, paidBy) {
      if (!invoicing) return undefined;
      const { seller, prefix, tax, note } = invoicing;
      const { reference, currency, amount } = sale;
      // Paid again after a change by hand, for example: the order has one invoice.
      const known = await invoiceStore.find(tx, reference, 'invoice');
      if (known) return known;
      return insert(tx, prefix, {
        kind: 'invoice',
        reference,
        currency,
        amount,
        buyer: await buyerOf(tx, sale),
        content: {
          seller,
          note,
          product: productOf(sale),
          quantity: 1,
          tax: tax && { ...tax, amount: includedTax(amount, tax.percent) },
          paidAt: sale.paidAt ?? clock.now(),
          paidBy,
          cancels: undefined,
        },
      });
    },

    async credit(tx, { reference }) {
      const invoice = await invoiceStore.find(tx, reference, 'invoice');
      if (!invoice) return undefined;
      const { number, code, issuedAt, ...copied } = invoice;
      // The same prefix, whatever the document says by now.
      const prefix = code.slice(0, code.length - codeOf('', number).length);
      return insert(tx, prefix, {
        ...copied,
        kind: 'credit_note',
        content: { ...invoice.content, cancels: { code, issuedAt } },
      });
    },

    find: (reference, kind) => invoiceStore.find(database, reference, kind),
    ofAccount: (account) => invoiceStore.ofAccount(database, account),
    page: (after, limit) => invoiceStore.page(database, after, limit),
    pdf: (invoice, locale) => printed(sheetOf(invoice, locale)),

    async receipt(sale, { paidBy, refundedAt }, locale) {
      const receipt: Receipt = {
        seller: operator,
        buyer: await buyerOf(database, sale),
        reference: sale.reference,
        currency: sale.currency,
        amount: sale.amount,
        product: productOf(sale),
        paidAt: sale.paidAt ?? clock.now(),
        paidBy,
        refundedAt,
      };
      return printed(receiptSheet(receipt, locale));
    },
  };
}
