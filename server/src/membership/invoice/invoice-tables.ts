import type { InvoiceKind } from './invoice.ts';

export interface InvoiceTables {
  invoice: {
    number: number;
    code: string;
    kind: InvoiceKind;
    reference: string;
    issued_at: number;
    currency: string;
    amount: number;
    /** JSON of an `InvoiceContent`. */
    content: string;
  };
  /** Until the account is erased. */
  invoice_buyer: {
    /** Number of the invoice. */
    invoice: number;
    account: string;
    order_id: string;
    name: string;
    contact: string;
  };
  /** One row: the last number that was given. */
  invoice_counter: { id: string; last: number };
}
