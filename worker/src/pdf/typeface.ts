import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Locale } from '@bowerbird/contract';
import * as hb from 'harfbuzzjs';
import { readWoff2 } from './woff2.ts';

/** Units of all coordinates and advances: this many are the size of the letters. */
export const EM = 2048;

export type Weight = 400 | 600;

export interface Outline {
  /** Names the outline: the same in all texts. */
  readonly key: string;
  readonly weight: Weight;
  readonly advance: number;
  /** M, L, Q and Z of SVG, with the y axis upwards. */
  readonly path: readonly hb.SvgPathCommand[];
}

/** A part of a text and how it looks; usually one letter. */
export interface Letter {
  readonly text: string;
  readonly outline: Outline;
  /** Including kerning. */
  readonly advance: number;
}

/** The typefaces of PDF files. Their files are read when a text needs them, and kept. */
export interface Typefaces {
  letters(text: string, weight: Weight, locale: Locale): Promise<Letter[]>;
}

interface Family {
  readonly package: string;
  /** True for the ranges that are used. */
  readonly has: (range: string) => boolean;
}

const family = (name: string, has: (range: string) => boolean): Family => ({
  package: `@fontsource-variable/${name}`,
  has,
});
/** Their other ranges are in {@link LATIN}, in a matching design. */
const isNumbered = (range: string): boolean => range.startsWith('[');

const LATIN = family('inter', () => true);
const JAPANESE = family('noto-sans-jp', isNumbered);
const SIMPLIFIED = family('noto-sans-sc', isNumbered);
const TRADITIONAL = family('noto-sans-tc', isNumbered);
const KOREAN = family('noto-sans-kr', isNumbered);

/** The same character looks different in each of these languages. */
const FIRST: Partial<Record<Locale, Family>> = {
  'zh-CN': SIMPLIFIED,
  'zh-TW': TRADITIONAL,
  ko: KOREAN,
};
const EASTERN = [JAPANESE, SIMPLIFIED, TRADITIONAL, KOREAN];

const familiesFor = (locale: Locale): readonly Family[] => {
  const first = FIRST[locale] ?? JAPANESE;
  return [LATIN, first, ...EASTERN.filter((one) => one !== first)];
};

/** Digits of one width, as in a column of amounts. */
const TABULAR = new hb.Feature('tnum', 1);
/** No ligatures, so that each letter stays one. */
const FEATURES = [new hb.Feature('liga', 0), new hb.Feature('clig', 0), new hb.Feature('calt', 0)];

const { resolve } = createRequire(import.meta.url);

interface Range {
  readonly name: string;
  readonly spans: readonly (readonly [first: number, last: number])[];
}

/** The ranges of a family, as `unicode.json` of the package lists them. */
async function readRanges({ package: name, has }: Family): Promise<Range[]> {
  const listed = JSON.parse(await readFile(resolve(`${name}/unicode.json`), 'utf8')) as Record<
    string,
    string
  >;
  return Object.entries(listed)
    .filter(([range]) => has(range))
    .map(([range, spans]) => ({
      name: range.replaceAll(/[[\]]/g, ''),
      spans: spans.split(',').map((span) => {
        const [first = '', last = first] = span.trim().slice(2).split('-');
        return [Number.parseInt(first, 16), Number.parseInt(last, 16)] as const;
      }),
    }));
}

async function readFace({ package: name }: Family, range: string): Promise<hb.Face> {
  const file = `${name}/files/${name.split('/')[1]}-${range}-wght-normal.woff2`;
  return new hb.Face(new hb.Blob(Uint8Array.from(readWoff2(await readFile(resolve(file)))).buffer));
}

/** The same promise for the same key. */
function remembering<A extends string, T>(make: (key: A) => Promise<T>): (key: A) => Promise<T> {
  const known = new Map<A, Promise<T>>();
  return (key) => {
    const found = known.get(key) ?? make(key);
    known.set(key, found);
    return found;
  };
}

interface Run {
  text: string;
  /** Undefined if no typeface has the letter. */
  readonly file: string | undefined;
}

export function createTypefaces(): Typefaces {
  const byName = new Map([LATIN, ...EASTERN].map((one) => [one.package, one]));
  const rangesOf = remembering((name: string) => readRanges(byName.get(name)!));
  const faceOf = remembering((file: string) => {
    const [name = '', range = ''] = file.split(' ');
    return readFace(byName.get(name)!, range);
  });
  const fontOf = remembering(async (key: string) => {
    const [name, range, weight] = key.split(' ');
    const font = new hb.Font(await faceOf(`${name} ${range}`));
    font.setScale(EM, EM);
    font.setVariations([new hb.Variation('wght', Number(weight))]);
    return font;
  });
  const outlines = new Map<string, Outline>();

  async function fileOf(letter: string, families: readonly Family[]): Promise<string | undefined> {
    const code = letter.codePointAt(0)!;
    for (const { package: name } of families)
      for (const range of await rangesOf(name))
        if (range.spans.some(([first, last]) => code >= first && code <= last)) {
          const file = `${name} ${range.name}`;
          if (((await fontOf(`${file} 400`)).nominalGlyph(code) ?? 0) > 0) return file;
        }
    return undefined;
  }

  const places = new Map<string, Promise<string | undefined>>();
  function placeOf(letter: string, locale: Locale): Promise<string | undefined> {
    const key = `${locale} ${letter}`;
    const known = places.get(key) ?? fileOf(letter, familiesFor(locale));
    places.set(key, known);
    return known;
  }

  async function runsOf(text: string, locale: Locale): Promise<Run[]> {
    const runs: Run[] = [];
    for (const letter of text) {
      const last = runs.at(-1);
      const file = await placeOf(letter, locale);
      // A mark stays with its letter where that is possible.
      if (last && last.file === file && file !== undefined) last.text += letter;
      else runs.push({ text: letter, file });
    }
    return runs;
  }

  function outlineOf(font: hb.Font, glyph: number, file: string, weight: Weight): Outline {
    const key = `${file} ${weight} ${glyph}`;
    const outline = outlines.get(key) ?? {
      key,
      weight,
      advance: font.glyphHAdvance(glyph),
      path: font.glyphToJson(glyph),
    };
    outlines.set(key, outline);
    return outline;
  }

  async function shape(text: string, file: string, weight: Weight): Promise<Letter[]> {
    const font = await fontOf(`${file} ${weight}`);
    const buffer = new hb.Buffer();
    buffer.addText(text);
    buffer.guessSegmentProperties();
    hb.shape(font, buffer, /\p{L}/u.test(text) ? FEATURES : [...FEATURES, TABULAR]);
    const positions = buffer.getGlyphPositions();
    const infos = buffer.getGlyphInfos();
    return infos.map(({ codepoint: glyph, cluster }, at) => ({
      // Several glyphs may belong to one part of the text: the first has it.
      text: infos[at - 1]?.cluster === cluster ? '' : text.slice(cluster, infos[at + 1]?.cluster),
      outline: outlineOf(font, glyph, file, weight),
      advance: positions[at]!.xAdvance,
    }));
  }

  return {
    async letters(text, weight, locale) {
      const letters: Letter[] = [];
      for (const run of await runsOf(text, locale))
        letters.push(
          ...(run.file === undefined ? [missing(run.text, weight)] : await shape(run.text, run.file, weight)),
        );
      return letters;
    },
  };
}

const BOX = { left: 180, right: 1100, bottom: 0, top: 1480, line: 110 };

const rectangle = (left: number, bottom: number, right: number, top: number): hb.SvgPathCommand[] => [
  { type: 'M', values: [left, bottom] },
  { type: 'L', values: [left, top] },
  { type: 'L', values: [right, top] },
  { type: 'L', values: [right, bottom] },
  { type: 'Z', values: [] },
];

/** An empty box for a letter that no typeface has; whoever copies the text gets the letter. Marks are invisible. */
function missing(text: string, weight: Weight): Letter {
  const isMark = /^[\p{M}\p{C}]$/u.test(text);
  const { left, right, bottom, top, line } = BOX;
  const outline: Outline = {
    key: `missing ${weight} ${text}`,
    weight,
    advance: isMark ? 0 : right + left,
    path: isMark
      ? []
      : [
          ...rectangle(left, bottom, right, top),
          // In the other direction, which makes it a hole.
          ...rectangle(right - line, bottom + line, left + line, top - line),
        ],
  };
  return { text, outline, advance: outline.advance };
}
