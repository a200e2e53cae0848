import { sql as raw } from 'kysely';
import type { Database, Sql, Tx } from '../../foundation/database/index.ts';
import { removeRowsOfAccount } from '../../foundation/database/remove-rows.ts';
import type { InvoiceTables } from './invoice-tables.ts';
import type { InvoiceContent, InvoiceKind, InvoiceRow } from './invoice.ts';

const invoices = (sql: Sql) =>
  sql
    .on<InvoiceTables>()
    .selectFrom('invoice')
    .leftJoin('invoice_buyer', 'invoice_buyer.invoice', 'invoice.number')
    .selectAll('invoice')
    .select(['account', 'order_id', 'name', 'contact']);

type Row = Awaited<ReturnType<ReturnType<typeof invoices>['execute']>>[number];

const toInvoice = (row: Row): InvoiceRow => ({
  number: Number(row.number),
  code: row.code,
  kind: row.kind,
  reference: row.reference,
  issuedAt: Number(row.issued_at),
  currency: row.currency,
  amount: Number(row.amount),
  content: JSON.parse(row.content) as InvoiceContent,
  buyer:
    row.account === null
      ? undefined
      : { account: row.account, order: row.order_id!, name: row.name!, contact: row.contact! },
});

export const invoiceStore = {
  /** The next number. Others wait for the end of the transaction, and get the same number if it fails. */
  async nextNumber(tx: Tx): Promise<number> {
    const { last } = await tx
      .on<InvoiceTables>()
      .updateTable('invoice_counter')
      .set({ last: raw<number>`last + 1` })
      .where('id', '=', 'invoice')
      .returning('last')
      .executeTakeFirstOrThrow();
    return Number(last);
  },

  async insert(tx: Tx, invoice: InvoiceRow): Promise<void> {
    const { number, code, kind, reference, issuedAt, currency, amount, content, buyer } = invoice;
    await tx
      .on<InvoiceTables>()
      .insertInto('invoice')
      .values({
        number,
        code,
        kind,
        reference,
        issued_at: issuedAt,
        currency,
        amount,
        content: JSON.stringify(content),
      })
      .execute();
    if (!buyer) return;
    const { account, order: order_id, name, contact } = buyer;
    await tx
      .on<InvoiceTables>()
      .insertInto('invoice_buyer')
      .values({ invoice: number, account, order_id, name, contact })
      .execute();
  },

  async find(sql: Sql, reference: string, kind: InvoiceKind): Promise<InvoiceRow | undefined> {
    const row = await invoices(sql)
      .where('reference', '=', reference)
      .where('kind', '=', kind)
      .executeTakeFirst();
    return row && toInvoice(row);
  },

  /** Invoices and credit notes of an account, oldest first. */
  async ofAccount(sql: Sql, account: string): Promise<InvoiceRow[]> {
    const rows = await invoices(sql).where('account', '=', account).orderBy('number').execute();
    return rows.map(toInvoice);
  },

  /** Invoices and credit notes of all accounts after a number, in their order. */
  async page(sql: Sql, after: number, limit: number): Promise<InvoiceRow[]> {
    const rows = await invoices(sql).where('number', '>', after).orderBy('number').limit(limit).execute();
    return rows.map(toInvoice);
  },

  /** Deletes who bought, in slices, and keeps the invoices. Returns the number of rows removed. */
  eraseAccount: (database: Database, account: string, signal: AbortSignal): Promise<number> =>
    removeRowsOfAccount<InvoiceTables>(database, ['invoice_buyer'], account, signal),
};
