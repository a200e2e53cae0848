export { createInvoices, type Invoices, type PrintedFile } from './invoice-service.ts';
export { invoiceStore } from './invoice-store.ts';
export { readInvoicing, type Invoicing } from './invoicing.ts';
export type { InvoiceKind, InvoiceRow, PaidBy } from './invoice.ts';
export { createPrinter, type Printer } from './printer.ts';
