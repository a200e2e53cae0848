import type { LedgerFormat, LedgerItem } from '@bowerbird/contract';

/** Columns of the CSV file, as in the JSON file. */
const COLUMNS = [
  'id',
  'created_time',
  'resource',
  'cause',
  'amount',
  'plan',
  'file_id',
  'file_name',
] as const;

/** Formats: each begins, writes an item (the first one of the file or a later one), and ends. */
export const FORMATS: Readonly<
  Record<
    LedgerFormat,
    { type: string; start: string; item: (item: LedgerItem, isFirst: boolean) => string; end: string }
  >
> = {
  csv: {
    type: 'text/csv; charset=utf-8',
    // Without the mark, spreadsheet programs read the file in an encoding of their own choice.
    start: `\uFEFF${COLUMNS.join(',')}\r\n`,
    item: (item) => `${cellsOf(item).map(cell).join(',')}\r\n`,
    end: '',
  },
  json: {
    type: 'application/json; charset=utf-8',
    start: '[',
    item: (item, isFirst) => `${isFirst ? '' : ','}\n${JSON.stringify(item)}`,
    end: '\n]\n',
  },
};

function cellsOf({ id, created_time: time, resource, cause, amount, plan, file }: LedgerItem): string[] {
  return [id, time, resource, cause, amount, plan?.name ?? '', file?.id ?? '', file?.name ?? ''];
}

/** Begins a formula in spreadsheet programs; so do the full-width forms in some of them. */
const FORMULA = /^[\s\p{C}]*[=+\-@|%\uFF1D\uFF0B\uFF0D\uFF20]|^[\t\r\n]/u;
const WHOLE_NUMBER = /^-?\d+$/;

/**
 * Writes a value of a CSV file (RFC 4180). A name can begin like a formula, which a spreadsheet program would run: an
 * apostrophe in front makes it text.
 */
export function cell(value: string): string {
  const safe = FORMULA.test(value) && !WHOLE_NUMBER.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
