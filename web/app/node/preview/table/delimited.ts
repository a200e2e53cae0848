export const DELIMITERS = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof DELIMITERS)[number];

/** Rows beyond that aren't shown; no browser scrolls further. */
const MOST_ROWS = 500_000;
/** Columns beyond that aren't shown. */
export const MOST_COLUMNS = 100;
/** Letters of a cell beyond that aren't shown. */
const MOST_LETTERS = 1000;
const SAMPLE_LETTERS = 64 * 1024;
const SAMPLE_ROWS = 50;

/** Table in a text: where its rows start, and how they are divided. */
export interface Delimited {
  readonly text: string;
  readonly delimiter: Delimiter;
  /** True if quotation marks enclose cells; false if the text has an unpaired one. */
  readonly isQuoted: boolean;
  /** Offsets of the rows, and of the end of the last one. */
  readonly starts: readonly number[];
}

/** `sep=;` in the first line, by which Excel is told the delimiter. */
const HINT = /^sep=([,;\t|])\r?\n/i;

/** Finds the rows of a table; `delimiter` is detected unless it is given. */
export function readTable(content: string, delimiter?: Delimiter): Delimited {
  const hint = HINT.exec(content);
  const text = hint ? content.slice(hint[0].length) : content;
  const used = delimiter ?? (hint?.[1] as Delimiter | undefined) ?? detectDelimiter(text);
  const quoted = rowStarts(text, used, true);
  return quoted
    ? { text, delimiter: used, isQuoted: true, starts: quoted }
    : { text, delimiter: used, isQuoted: false, starts: rowStarts(text, used, false)! };
}

/** Offsets of rows; `undefined` if a quotation mark is never closed. */
function rowStarts(text: string, delimiter: string, isQuoted: boolean): number[] | undefined {
  const starts = [0];
  let at = 0;
  let startsCell = true;
  while (at < text.length && starts.length <= MOST_ROWS) {
    const letter = text[at];
    if (isQuoted && startsCell && letter === '"') {
      const end = endOfQuote(text, at);
      if (end === undefined) return undefined;
      at = end;
      startsCell = false;
      continue;
    }
    at += 1;
    startsCell = letter === delimiter;
    if (letter === '\n' || (letter === '\r' && text[at] !== '\n')) {
      starts.push(at);
      startsCell = true;
    }
  }
  if (starts.at(-1) !== text.length && starts.length <= MOST_ROWS) starts.push(text.length);
  return starts;
}

/** Offset behind the quotation mark that closes the one at `from`; two in a row are one inside the text. */
function endOfQuote(text: string, from: number): number | undefined {
  let at = from + 1;
  for (;;) {
    const end = text.indexOf('"', at);
    if (end < 0) return undefined;
    if (text[end + 1] !== '"') return end + 1;
    at = end + 2;
  }
}

export const rowCount = ({ starts }: Delimited): number => starts.length - 1;

/** Cells of a row, at most {@link MOST_COLUMNS} and one more, which means that there are others. */
export function cellsOf({ text, delimiter, isQuoted, starts }: Delimited, row: number): string[] {
  const cells: string[] = [];
  let at = starts[row]!;
  let end = starts[row + 1]!;
  while (end > at && (text[end - 1] === '\n' || text[end - 1] === '\r')) end -= 1;
  while (at <= end && cells.length <= MOST_COLUMNS) {
    let cell = '';
    if (isQuoted && text[at] === '"') {
      const closed = endOfQuote(text, at) ?? end;
      cell = text.slice(at + 1, Math.min(closed - 1, at + 1 + MOST_LETTERS * 2)).replaceAll('""', '"');
      at = closed;
    }
    const next = text.indexOf(delimiter, at);
    const stop = next < 0 || next > end ? end : next;
    cells.push(shortened(cell + text.slice(at, Math.min(stop, at + MOST_LETTERS + 1))));
    at = stop + 1;
  }
  return cells;
}

const shortened = (cell: string): string =>
  cell.length > MOST_LETTERS ? `${cell.slice(0, MOST_LETTERS)}…` : cell;

/** The delimiter that divides the first rows into the same number of cells, the more the better. */
function detectDelimiter(text: string): Delimiter {
  const sample = text.slice(0, SAMPLE_LETTERS);
  let best: Delimiter = ',';
  let bestScore = 0;
  for (const delimiter of DELIMITERS) {
    const starts = rowStarts(sample, delimiter, true) ?? rowStarts(sample, delimiter, false)!;
    const table = { text: sample, delimiter, isQuoted: true, starts };
    // The last row may be cut off.
    const rows = Math.min(SAMPLE_ROWS, Math.max(1, rowCount(table) - (sample === text ? 0 : 1)));
    const counts = new Map<number, number>();
    for (let row = 0; row < Math.min(rows, rowCount(table)); row += 1) {
      const count = cellsOf(table, row).length;
      if (count > 1) counts.set(count, (counts.get(count) ?? 0) + 1);
    }
    const [columns, times] = [...counts].toSorted(([, a], [, b]) => b - a)[0] ?? [0, 0];
    const score = (times / rows) ** 2 * Math.log2(columns + 1);
    if (score > bestScore) [best, bestScore] = [delimiter, score];
  }
  return best;
}

export interface TableColumn {
  /** Width in letters. */
  readonly letters: number;
  readonly isNumeric: boolean;
}

const NUMBER = /^[-+−]?(?:\d[\d.,'\s\u00a0\u202f]*)?\d\s?%?$/;
const [LEAST_WIDTH, MOST_WIDTH] = [6, 40];
const MEASURED_ROWS = 200;

/** Widths and kinds of columns by the first rows. */
export function columnsOf(table: Delimited, hasHeader: boolean): readonly TableColumn[] {
  const rows = Array.from({ length: Math.min(MEASURED_ROWS, rowCount(table)) }, (_, row) =>
    cellsOf(table, row),
  );
  const count = Math.min(MOST_COLUMNS, Math.max(0, ...rows.map((cells) => cells.length)));
  return Array.from({ length: count }, (_, at): TableColumn => {
    const cells = rows.map((row) => row[at] ?? '');
    const values = cells.slice(hasHeader ? 1 : 0).filter((cell) => cell.trim() !== '');
    const numbers = values.filter((cell) => NUMBER.test(cell.trim())).length;
    return {
      letters: Math.min(MOST_WIDTH, Math.max(LEAST_WIDTH, ...cells.map(widthOf))),
      isNumeric: values.length > 0 && numbers >= values.length * 0.8,
    };
  });
}

/** Width in letters; those of East Asian scripts count twice. */
const widthOf = (cell: string): number =>
  cell.length + (cell.slice(0, MOST_WIDTH).match(/[\u1100-\u11ff\u2e80-\uffe6]/g)?.length ?? 0);
