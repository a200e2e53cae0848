import type { InvoiceSheet, SheetLine } from '@bowerbird/contract';
import { createCanvas, PAGE, type Color, type Ink } from './canvas.ts';
import { breakLines, widthOf } from './lines.ts';
import type { Letter, Typefaces } from './typeface.ts';

const INK: Color = [22, 24, 29];
const GRAY: Color = [98, 104, 115];
const LINE: Color = [222, 225, 230];

const TITLE: Ink = { size: 26, weight: 600, color: INK };
const NAME: Ink = { size: 11, weight: 600, color: INK };
const STRONG: Ink = { size: 10, weight: 600, color: INK };
const TEXT: Ink = { size: 10, weight: 400, color: INK };
const QUIET: Ink = { size: 9, weight: 400, color: GRAY };
const TOTAL: Ink = { size: 14, weight: 600, color: INK };
const SMALL: Ink = { size: 8, weight: 400, color: GRAY };

const LEFT = 56;
const RIGHT = PAGE.width - LEFT;
/** Left edge of the right half. */
const MIDDLE = 322;
const FOOT = PAGE.height - 52;
/** Baselines are this many sizes apart. */
const LEADING = 1.5;
const GAP = 14;

type Block = readonly { readonly letters: readonly Letter[]; readonly ink: Ink }[];

interface Place {
  readonly x: number;
  readonly width: number;
  readonly isRight?: boolean;
}

/** The largest number of lines of each part, with which the longest sheet fits on one page. */
const MOST = { sellerName: 2, seller: 9, buyer: 2, fact: 1, item: 3, details: 2, sum: 2, note: 5, footer: 1 };

/**
 * Writes a sheet as a PDF file: one A4 page, tagged, with its fonts embedded. The same sheet results in the same bytes.
 */
export async function print(sheet: InvoiceSheet, typefaces: Typefaces): Promise<Buffer> {
  const canvas = createCanvas();
  const { locale } = sheet;
  const lettersOf = (text: string, { weight }: Ink) => typefaces.letters(text, weight, locale);
  const ellipsis = { 400: await lettersOf('…', TEXT), 600: await lettersOf('…', STRONG) };

  async function block(text: string, ink: Ink, width: number, most: number): Promise<Block> {
    const letters = await lettersOf(text, ink);
    const lines = breakLines(letters, { width, size: ink.size, most, ellipsis: ellipsis[ink.weight] });
    return lines.map((line) => ({ letters: line, ink }));
  }
  const blocks = async (texts: readonly string[], ink: Ink, width: number, most: number): Promise<Block> =>
    (await Promise.all(texts.map((text) => block(text, ink, width, most)))).flat();

  /** Draws lines below each other. Returns the baseline of the next one. */
  function put(lines: Block, { x, width, isRight = false }: Place, y: number): number {
    let at = y;
    for (const { letters, ink } of lines) {
      const visible = trimmed(letters);
      const left = isRight ? x + width - widthOf(visible, ink.size) : x;
      canvas.text(visible, left, at, ink);
      at += ink.size * LEADING;
    }
    return at;
  }

  /** Labels on the left, values on the right. Returns the baseline of the next line. */
  async function pairs(lines: readonly SheetLine[], inks: { label: Ink; value: Ink }, y: number) {
    let at = y;
    const width = RIGHT - MIDDLE;
    for (const { label, value } of lines) {
      const right = await block(value, inks.value, width * 0.62, MOST.fact);
      const taken = Math.max(...right.map(({ letters }) => widthOf(trimmed(letters), inks.value.size)), 0);
      const left = await block(label, inks.label, width - taken - GAP, MOST.sum);
      canvas.tag('TR', () => {
        let end = at;
        canvas.tag('TH', () => (end = put(left, { x: MIDDLE, width }, at)));
        canvas.tag('TD', () => (end = Math.max(end, put(right, { x: MIDDLE, width, isRight: true }, at))));
        at = end + 1;
      });
    }
    return at;
  }

  const seller = [
    await block(sheet.seller.name, NAME, RIGHT - LEFT, MOST.sellerName),
    await blocks(sheet.seller.lines.slice(0, MOST.seller), QUIET, RIGHT - LEFT, 1),
  ];
  const heading = await block(sheet.heading, TITLE, RIGHT - LEFT, 1);
  let y = 76;
  canvas.tag('P', () => {
    for (const lines of seller) y = put(lines, { x: LEFT, width: MIDDLE - LEFT }, y);
  });
  y = Math.max(y + 52, 178);
  canvas.tag('H1', () => put(heading, { x: LEFT, width: RIGHT - LEFT }, y));
  y += 40;

  const buyer = [
    await block(sheet.buyer.label, QUIET, MIDDLE - LEFT - GAP, 1),
    ...(await Promise.all(
      sheet.buyer.lines.map((line, at) =>
        block(line, at === 0 ? STRONG : TEXT, MIDDLE - LEFT - 2 * GAP, MOST.buyer),
      ),
    )),
  ];
  let afterBuyer = y;
  canvas.tag('P', () => {
    for (const [at, lines] of buyer.entries()) {
      // The name is a little further from its label.
      const top = at === 1 ? afterBuyer + 3 : afterBuyer;
      afterBuyer = put(lines, { x: LEFT, width: MIDDLE - LEFT }, top);
    }
  });
  let afterFacts = y;
  canvas.open('Table');
  afterFacts = await pairs(sheet.facts, { label: QUIET, value: TEXT }, y);
  canvas.close();
  y = Math.max(afterBuyer, afterFacts) + 34;

  const columns = { item: LEFT, quantity: { x: 356, width: 60 }, amount: { x: 430, width: RIGHT - 430 } };
  const itemWidth = columns.quantity.x - LEFT - GAP;
  const head = {
    item: await block(sheet.columns.item, QUIET, itemWidth, 1),
    quantity: await block(sheet.columns.quantity, QUIET, columns.quantity.width, 1),
    amount: await block(sheet.columns.amount, QUIET, columns.amount.width, 1),
  };
  const row = {
    name: await block(sheet.item.name, STRONG, itemWidth, MOST.item),
    details: await block(sheet.item.details, QUIET, itemWidth, MOST.details),
    quantity: await block(sheet.item.quantity, TEXT, columns.quantity.width, 1),
    amount: await block(sheet.item.amount, TEXT, columns.amount.width, 1),
  };
  canvas.tag('Table', () => {
    canvas.tag('TR', () => {
      canvas.tag('TH', () => put(head.item, { x: LEFT, width: itemWidth }, y));
      canvas.tag('TH', () => put(head.quantity, { ...columns.quantity, isRight: true }, y));
      canvas.tag('TH', () => put(head.amount, { ...columns.amount, isRight: true }, y));
    });
    canvas.rule(LEFT, RIGHT, y + 9, LINE);
    y += 28;
    canvas.tag('TR', () => {
      const first = y;
      canvas.tag('TD', () => {
        y = put(row.name, { x: LEFT, width: itemWidth }, y);
        y = put(row.details, { x: LEFT, width: itemWidth }, y);
      });
      canvas.tag('TD', () => put(row.quantity, { ...columns.quantity, isRight: true }, first));
      canvas.tag('TD', () => put(row.amount, { ...columns.amount, isRight: true }, first));
    });
  });
  canvas.rule(LEFT, RIGHT, y, LINE);
  y += 22;
  canvas.open('Table');
  y = await pairs(sheet.sums, { label: QUIET, value: TEXT }, y);
  if (sheet.sums.length > 0) canvas.rule(MIDDLE, RIGHT, y - 4, LINE);
  y += sheet.sums.length > 0 ? 18 : 4;
  y = await pairs([sheet.total], { label: STRONG, value: TOTAL }, y);
  canvas.close();
  y += 30;

  for (const note of sheet.notes) {
    for (const paragraph of note.split('\n')) {
      const fitting = Math.floor((FOOT - 30 - y) / (QUIET.size * LEADING));
      if (fitting < 1) break;
      const lines = await block(paragraph, QUIET, RIGHT - LEFT, Math.min(MOST.note, fitting));
      canvas.tag('P', () => (y = put(lines, { x: LEFT, width: RIGHT - LEFT }, y)));
    }
    y += 6;
  }

  const footer = await block(sheet.footer, SMALL, RIGHT - LEFT, MOST.footer);
  canvas.rule(LEFT, RIGHT, FOOT - 18, LINE);
  canvas.tag('P', () => put(footer, { x: LEFT, width: RIGHT - LEFT }, FOOT));
  return canvas.end({ title: sheet.title, language: locale, at: sheet.issuedAt });
}

/** Without spaces at the end of a line. */
function trimmed(letters: readonly Letter[]): readonly Letter[] {
  const last = letters.findLastIndex(({ text }) => text.trim() !== '');
  return letters.slice(0, last + 1);
}
