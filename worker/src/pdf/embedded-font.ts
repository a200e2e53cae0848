import { EXTENT, writeFontProgram } from './font-program.ts';
import type { PdfFile, Ref } from './pdf-file.ts';
import { EM, type Letter, type Outline, type Weight } from './typeface.ts';

/** A font of one weight in a file: its letters get numbers as they're used. */
export interface EmbeddedFont {
  /** Number of the glyph for a letter. */
  glyph(letter: Letter): number;
  /** Adds the font, after which nothing may use it any more. */
  write(file: PdfFile): Ref;
}

const NAMES: Readonly<Record<Weight, string>> = { 400: 'Regular', 600: 'SemiBold' };
/** PDF measures glyphs in thousandths. */
export const inThousandths = (units: number): number => Math.round((units * 1000) / EM);
const STEM: Readonly<Record<Weight, number>> = { 400: 80, 600: 120 };
/** Not only letters of the Latin alphabet. */
const SYMBOLIC = 4;
/** Entries of a section of a character map. */
const MOST_ENTRIES = 100;

const hex = (code: number): string => code.toString(16).padStart(4, '0');

function slices<T>(list: readonly T[], length: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / length) }, (_, at) =>
    list.slice(at * length, (at + 1) * length),
  );
}

/** Maps glyphs to the texts that they stand for, which makes the text searchable. */
function characterMap(texts: readonly string[]): string {
  const entries = texts.map(
    (text, at) => `<${hex(at + 1)}> <${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`,
  );
  const sections = slices(entries, MOST_ENTRIES).map(
    (some) => `${some.length} beginbfchar\n${some.join('\n')}\nendbfchar`,
  );
  return [
    '/CIDInit /ProcSet findresource begin 12 dict begin begincmap',
    '/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def',
    '/CMapName /Adobe-Identity-UCS def /CMapType 2 def',
    '1 begincodespacerange\n<0000> <ffff>\nendcodespacerange',
    ...sections,
    'endcmap CMapName currentdict /CMap defineresource pop end end',
  ].join('\n');
}

export function createEmbeddedFont(weight: Weight): EmbeddedFont {
  const numbers = new Map<string, number>();
  const outlines: Outline[] = [];
  const texts: string[] = [];
  return {
    glyph({ outline, text }) {
      // The same outline may stand for different characters: a space and a non-breaking one.
      const key = `${outline.key} ${text}`;
      const known = numbers.get(key) ?? outlines.push(outline);
      if (!numbers.has(key)) texts.push(text);
      numbers.set(key, known);
      return known;
    },
    write(file) {
      const name = `/AAAAAA+Invoice-${NAMES[weight]}`;
      const program = writeFontProgram(outlines);
      const programRef = file.addStream(`/Length1 ${program.length}`, program);
      const { ascent, descent } = EXTENT;
      const descriptor = file.add(
        `<< /Type /FontDescriptor /FontName ${name} /Flags ${SYMBOLIC} /FontBBox [-1000 -1000 3000 2000] /ItalicAngle 0 /Ascent ${inThousandths(ascent)} /Descent ${inThousandths(descent)} /CapHeight 728 /StemV ${STEM[weight]} /FontFile2 ${programRef} >>`,
      );
      const widths = outlines.map(({ advance }) => inThousandths(advance)).join(' ');
      const descendant = file.add(
        `<< /Type /Font /Subtype /CIDFontType2 /BaseFont ${name} /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor ${descriptor} /CIDToGIDMap /Identity /DW 500 /W [1 [${widths}]] >>`,
      );
      const map = file.addStream('', Buffer.from(characterMap(texts), 'latin1'));
      return file.add(
        `<< /Type /Font /Subtype /Type0 /BaseFont ${name} /Encoding /Identity-H /DescendantFonts [${descendant}] /ToUnicode ${map} >>`,
      );
    },
  };
}
