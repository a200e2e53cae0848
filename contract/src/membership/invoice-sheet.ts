import type { Locale } from '../language/locales.ts';

// Messages between the server and the process that writes PDF files. All texts are final: in their language, with formatted
// amounts and dates.

export interface SheetLine {
  readonly label: string;
  readonly value: string;
}

/** A page about a payment: an invoice, a credit note or a receipt. */
export interface InvoiceSheet {
  readonly locale: Locale;
  /** Title of the file, such as "Invoice 000042". */
  readonly title: string;
  /** Kind of the document, such as "Invoice". */
  readonly heading: string;
  /** Milliseconds; written into the file, so that the same sheet results in the same bytes. */
  readonly issuedAt: number;
  readonly seller: { readonly name: string; readonly lines: readonly string[] };
  readonly buyer: { readonly label: string; readonly lines: readonly string[] };
  /** Number, dates, references. */
  readonly facts: readonly SheetLine[];
  readonly columns: { readonly item: string; readonly quantity: string; readonly amount: string };
  readonly item: {
    readonly name: string;
    readonly details: string;
    readonly quantity: string;
    readonly amount: string;
  };
  /** Lines between the item and the total. */
  readonly sums: readonly SheetLine[];
  readonly total: SheetLine;
  /** Paragraphs below the total. */
  readonly notes: readonly string[];
  /** Small line at the bottom of the page. */
  readonly footer: string;
}

/** A message to the process; it prints one sheet at a time. */
export interface PrintOrder {
  readonly id: number;
  readonly sheet: InvoiceSheet;
}

export type PrintDone =
  | { readonly id: number; /** The PDF file, in base64. */ readonly pdf: string }
  | { readonly id: number; readonly error: string };
