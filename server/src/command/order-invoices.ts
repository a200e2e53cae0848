import { existsSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatPrice, isLocale, LOCALES, type Locale } from '@bowerbird/contract';
import type { App } from '../app.ts';
import { readReference, type InvoiceKind, type InvoiceRow } from '../membership/index.ts';
import { dayOf } from './argument.ts';
import { CommandMistake } from './command-mistake.ts';
import type { Say } from './command.ts';

export interface InvoicesAsked {
  /** Only those of one order; undefined for all. */
  readonly reference: string | undefined;
  /** Folder for the PDF files; undefined if they're only listed. */
  readonly out: string | undefined;
  /** Undefined for each buyer's own. */
  readonly language: string | undefined;
}

const PAGE = 200;
const KINDS: readonly InvoiceKind[] = ['invoice', 'credit_note'];

async function* all({ invoices }: App): AsyncGenerator<InvoiceRow> {
  for (let after = 0, more = true; more;) {
    const page = await invoices.page(after, PAGE);
    yield* page;
    after = page.at(-1)?.number ?? after;
    more = page.length === PAGE;
  }
}

async function* ofOrder({ invoices }: App, reference: string): AsyncGenerator<InvoiceRow> {
  const found = await Promise.all(KINDS.map((kind) => invoices.find(readReference(reference), kind)));
  yield* found.filter((invoice) => invoice !== undefined);
}

async function languageOf(app: App, { buyer }: InvoiceRow): Promise<Locale> {
  const owner = buyer && (await app.accounts.find(app.database, buyer.account));
  return owner?.locale ?? 'en-US';
}

const lineOf = ({ code, issuedAt, kind, currency, amount, reference, buyer }: InvoiceRow): string =>
  [
    code,
    dayOf(issuedAt),
    kind === 'invoice' ? 'invoice' : 'credit note',
    formatPrice('en-US', currency, amount),
    reference,
    buyer?.contact || buyer?.name || 'erased',
  ].join('  ');

/** Lists invoices and credit notes, or writes those whose file isn't in the folder yet as PDF. */
export async function orderInvoices(
  app: App,
  { reference, out, language }: InvoicesAsked,
  say: Say,
): Promise<void> {
  if (language !== undefined && !isLocale(language))
    throw new CommandMistake(`The language must be one of: ${LOCALES.join(', ')}.`);
  if (out !== undefined) await mkdir(out, { recursive: true });
  let [count, written] = [0, 0];
  for await (const invoice of reference === undefined ? all(app) : ofOrder(app, reference)) {
    count += 1;
    if (out === undefined) {
      say(lineOf(invoice));
      continue;
    }
    const path = join(out, `${invoice.code.replaceAll('/', '-')}.pdf`);
    if (existsSync(path)) continue;
    const locale = language ?? (await languageOf(app, invoice));
    const { bytes } = await app.invoices.pdf(invoice, locale);
    // Never a part of a file under its name: later runs would keep it.
    await writeFile(`${path}.part`, bytes);
    await rename(`${path}.part`, path);
    written += 1;
  }
  if (count === 0) say(reference === undefined ? 'No invoices.' : `No invoice for the order ${reference}.`);
  else if (out !== undefined) say(`${written} of ${count} written to ${out}; the others were there.`);
}
