import { brotliDecompressSync } from 'node:zlib';
import { createReader, type Reader } from './byte-reader.ts';
import { readGlyphs } from './woff2-glyphs.ts';
import { writeSfnt } from './sfnt.ts';

// WOFF 2.0 (https://www.w3.org/TR/WOFF2/): tables of a font in one Brotli stream, with outlines in a form of their own.

const KNOWN = (
  'cmap head hhea hmtx maxp name OS/2 post cvt. fpgm glyf loca prep CFF. VORG EBDT EBLC gasp hdmx kern LTSH PCLT VDMX ' +
  'vhea vmtx BASE GDEF GPOS GSUB EBSC JSTF MATH CBDT CBLC COLR CPAL SVG. sbix acnt avar bdat bloc bsln cvar fdsc feat ' +
  'fmtx fvar gvar hsty just lcar mort morx opbd prop trak Zapf Silf Glat Gloc Feat Sill'
)
  .split(' ')
  .map((tag) => tag.replace('.', ' '));
const OTHER_TAG = 63;
const HEADER_BYTES = 48;
const SIGNATURE = 0x774f4632;
const LOCA_FORMAT_AT = 50;
const METRICS_COUNT_AT = 34;

interface Entry {
  readonly tag: string;
  readonly isTransformed: boolean;
  /** Bytes in the stream. */
  readonly length: number;
}

function readEntry(reader: Reader): Entry {
  const flags = reader.u8();
  const known = flags & 0x3f;
  const tag = known === OTHER_TAG ? reader.text(4) : KNOWN[known]!;
  const version = flags >> 6;
  const isTransformed = tag === 'glyf' || tag === 'loca' ? version !== 3 : version !== 0;
  const original = reader.base128();
  return { tag, isTransformed, length: isTransformed ? reader.base128() : original };
}

/** Advances of all glyphs and left side bearings, which are where the outlines begin. */
function readMetrics(bytes: Uint8Array, count: number, lefts: readonly number[]): Uint8Array {
  const reader = createReader(bytes);
  const flags = reader.u8();
  const advances = Array.from({ length: count }, () => reader.u16());
  const own = (isAbsent: boolean, from: number, to: number): number[] =>
    isAbsent ? lefts.slice(from, to) : Array.from({ length: to - from }, () => reader.i16());
  const first = own((flags & 1) !== 0, 0, count);
  const others = own((flags & 2) !== 0, count, lefts.length);
  const out = Buffer.alloc(count * 4 + others.length * 2);
  advances.forEach((advance, at) => {
    out.writeUInt16BE(advance, at * 4);
    out.writeInt16BE(first[at]!, at * 4 + 2);
  });
  others.forEach((left, at) => out.writeInt16BE(left, count * 4 + at * 2));
  return out;
}

/** The TrueType font in a WOFF 2.0 file. Throws if it's anything else. */
export function readWoff2(file: Uint8Array): Uint8Array {
  const header = createReader(file);
  if (header.u32() !== SIGNATURE) throw new Error('not a WOFF 2.0 font');
  const flavor = header.u32();
  header.skip(4);
  const count = header.u16();
  header.skip(HEADER_BYTES - 14);
  const entries = Array.from({ length: count }, () => readEntry(header));
  const stream = createReader(brotliDecompressSync(file.subarray(header.at())));
  const tables = new Map(entries.map((entry) => [entry.tag, { ...entry, bytes: stream.take(entry.length) }]));
  const written = new Map([...tables].map(([tag, { bytes }]) => [tag, bytes]));
  const glyf = tables.get('glyf');
  if (glyf?.isTransformed) {
    const { outlines, offsets, lefts } = readGlyphs(glyf.bytes);
    written.set('glyf', outlines).set('loca', offsets);
    const head = Buffer.from(tables.get('head')!.bytes);
    head.writeUInt16BE(1, LOCA_FORMAT_AT);
    written.set('head', head);
    const hmtx = tables.get('hmtx')!;
    const hhea = Buffer.from(tables.get('hhea')!.bytes);
    if (hmtx.isTransformed)
      written.set('hmtx', readMetrics(hmtx.bytes, hhea.readUInt16BE(METRICS_COUNT_AT), lefts));
  }
  return writeSfnt(written, flavor);
}
