import { readTiff, type Tiff, type TiffFields } from './tiff.ts';

/** Facts that a camera writes into a picture (EXIF). */
export interface PictureFacts {
  /** Pixels as they are shown, turned upright. */
  readonly width?: number;
  readonly height?: number;
  /** Turn that makes the picture upright, 1 to 8 as in EXIF. */
  readonly orientation?: number;
  /** Local time of the place, `2026-07-14T10:20:30`, with the offset from UTC if the camera knows it. */
  readonly taken?: string;
  readonly camera?: string;
  readonly lens?: string;
  readonly exposureSeconds?: number;
  readonly aperture?: number;
  readonly iso?: number;
  /** In millimeters. */
  readonly focalLength?: number;
  /** In degrees, north and east positive. */
  readonly latitude?: number;
  readonly longitude?: number;
}

/** Number of a picture's first bytes that usually contain its facts. */
export const PICTURE_HEAD_BYTES = 256 * 1024;

const [WIDTH, HEIGHT, MAKE, MODEL, ORIENTATION] = [0x100, 0x101, 0x10f, 0x110, 0x112];
const [EXIF, GPS] = [0x8769, 0x8825];
const [EXPOSURE, APERTURE, ISO, TAKEN, OFFSET, FOCAL, LENS] = [
  0x829a, 0x829d, 0x8827, 0x9003, 0x9011, 0x920a, 0xa434,
];

/**
 * Reads the facts in the first bytes of a JPEG, PNG, WebP, HEIC, AVIF, TIFF or camera raw picture. Any bytes can be
 * passed; what can't be understood is left out.
 */
export function pictureFacts(head: Uint8Array): PictureFacts {
  const size = sizeOf(head);
  const block = exifBlock(head);
  const tiff = block && readTiff(block);
  const facts = tiff ? cameraFacts(tiff) : {};
  const isTurned = (facts.orientation ?? 1) > 4;
  const raw = tiff && !size && block === head ? sizeInTiff(tiff.fields(tiff.first)) : undefined;
  const [width, height] = size ?? raw ?? [];
  return {
    ...facts,
    ...(width && height ? (isTurned ? { width: height, height: width } : { width, height }) : {}),
  };
}

function cameraFacts(tiff: Tiff): PictureFacts {
  const main = tiff.fields(tiff.first);
  const exif = tiff.fields(numberIn(main, EXIF) ?? 0);
  const gps = tiff.fields(numberIn(main, GPS) ?? 0);
  const place = placeIn(gps);
  return known({
    orientation: within(numberIn(main, ORIENTATION), 1, 8),
    taken: takenIn(exif),
    camera: cameraIn(main),
    lens: textIn(exif, LENS),
    exposureSeconds: within(numberIn(exif, EXPOSURE), 1e-6, 86_400),
    aperture: within(numberIn(exif, APERTURE), 0.1, 200),
    iso: within(numberIn(exif, ISO), 1, 1e7),
    focalLength: within(numberIn(exif, FOCAL), 0.1, 10_000),
    latitude: place?.[0],
    longitude: place?.[1],
  });
}

/** Leaves out what is unknown. */
function known(facts: { readonly [K in keyof PictureFacts]: PictureFacts[K] | undefined }): PictureFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
}

const within = (value: number | undefined, least: number, most: number): number | undefined =>
  value !== undefined && value >= least && value <= most ? value : undefined;

function numberIn(fields: TiffFields, tag: number): number | undefined {
  const value = fields.get(tag);
  return typeof value === 'object' && Number.isFinite(value[0]) ? value[0] : undefined;
}

const LONGEST_TEXT = 100;

function textIn(fields: TiffFields, tag: number): string | undefined {
  const value = fields.get(tag);
  if (typeof value !== 'string') return undefined;
  // Control characters could reorder or hide the text around them.
  return value.replaceAll(/\p{C}/gu, '').trim().slice(0, LONGEST_TEXT) || undefined;
}

/** Make and model; most models begin with their make. */
function cameraIn(main: TiffFields): string | undefined {
  const [make, model] = [textIn(main, MAKE), textIn(main, MODEL)];
  if (make === undefined || model === undefined) return model ?? make;
  const brand = make.split(/[\s,]/)[0]!;
  return model.toLowerCase().startsWith(brand.toLowerCase()) ? model : `${make} ${model}`;
}

const DATE = /^(\d{4})[:-](\d{2})[:-](\d{2})[ T](\d{2}):(\d{2}):(\d{2})/;

function takenIn(exif: TiffFields): string | undefined {
  const [, ...parts] = DATE.exec(textIn(exif, TAKEN) ?? '') ?? [];
  if (parts.length === 0) return undefined;
  const [year, month, day, hour, minute, second] = parts;
  const offset = /^[+-]\d{2}:\d{2}$/.exec(textIn(exif, OFFSET) ?? '')?.[0] ?? '';
  const taken = `${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`;
  return Number(year) > 1800 && !Number.isNaN(Date.parse(taken)) ? taken : undefined;
}

function placeIn(gps: TiffFields): [number, number] | undefined {
  const degrees = (reference: number, tag: number, negative: string): number | undefined => {
    const value = gps.get(tag);
    if (typeof value !== 'object' || value.length < 3) return undefined;
    const sum = value[0]! + value[1]! / 60 + value[2]! / 3600;
    return gps.get(reference) === negative ? -sum : sum;
  };
  const latitude = within(degrees(1, 2, 'S'), -90, 90);
  const longitude = within(degrees(3, 4, 'W'), -180, 180);
  // Programs that remove the place write zeros.
  return latitude === undefined || longitude === undefined || (latitude === 0 && longitude === 0)
    ? undefined
    : [latitude, longitude];
}

function sizeInTiff(main: TiffFields): [number, number] | undefined {
  const [width, height] = [numberIn(main, WIDTH), numberIn(main, HEIGHT)];
  return width !== undefined && height !== undefined ? [width, height] : undefined;
}

const latin = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));

/** `Exif`, two zeros, and the beginning of a TIFF structure in either byte order. */
const MARK = [0x45, 0x78, 0x69, 0x66, 0, 0] as const;

/** TIFF structure in a picture: the picture itself, or its EXIF data. */
function exifBlock(head: Uint8Array): Uint8Array | undefined {
  if (readTiff(head)) return head;
  for (let at = head.indexOf(MARK[0]); at >= 0; at = head.indexOf(MARK[0], at + 1)) {
    if (MARK.every((byte, index) => head[at + index] === byte)) {
      const block = head.subarray(at + MARK.length);
      if (readTiff(block)) return block;
    }
  }
  // PNG and WebP have chunks without that mark.
  const chunk =
    latin(head, 0, 4) === 'RIFF' ? chunkOf(head, 'EXIF', 12, true) : chunkOf(head, 'eXIf', 8, false);
  return chunk && readTiff(chunk) ? chunk : undefined;
}

function chunkOf(head: Uint8Array, name: string, from: number, isRiff: boolean): Uint8Array | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  for (let at = from; at + 8 <= head.length;) {
    const size = view.getUint32(isRiff ? at + 4 : at, isRiff);
    if (latin(head, isRiff ? at : at + 4, 4) === name) return head.subarray(at + 8, at + 8 + size);
    at += isRiff ? 8 + size + (size % 2) : 12 + size;
  }
  return undefined;
}

/** Pixels of a JPEG, PNG, GIF or WebP as they are stored. */
function sizeOf(head: Uint8Array): [number, number] | undefined {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  if (head.length < 30) return undefined;
  if (head[0] === 0xff && head[1] === 0xd8) return jpegSize(view);
  if (latin(head, 1, 3) === 'PNG') return [view.getUint32(16), view.getUint32(20)];
  if (latin(head, 0, 4) === 'GIF8') return [view.getUint16(6, true), view.getUint16(8, true)];
  if (latin(head, 8, 4) !== 'WEBP') return undefined;
  switch (latin(head, 12, 4)) {
    case 'VP8X':
      return [1 + (view.getUint32(24, true) & 0xffffff), 1 + (view.getUint32(26, true) >>> 8)];
    case 'VP8 ':
      return [view.getUint16(26, true) & 0x3fff, view.getUint16(28, true) & 0x3fff];
    case 'VP8L': {
      const bits = view.getUint32(21, true);
      return [1 + (bits & 0x3fff), 1 + ((bits >> 14) & 0x3fff)];
    }
    default:
      return undefined;
  }
}

/** Markers of frames: baseline, progressive and so on, without the tables between them. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;

/** Pixels of the JPEG that begins at `from`; `undefined` if its frame isn't among the bytes. */
export function jpegSize(view: DataView, from = 0, accepts = isFrame): [number, number] | undefined {
  let at = from + 2;
  while (at + 9 < view.byteLength) {
    if (view.getUint8(at) !== 0xff) return undefined;
    const marker = view.getUint8(at + 1);
    if (marker === 0xff) at += 1;
    else if (isFrame(marker))
      return accepts(marker) ? [view.getUint16(at + 7), view.getUint16(at + 5)] : undefined;
    else if (marker === 0xda || marker === 0xd9 || marker < 0xc0) return undefined;
    else at += 2 + Math.max(2, view.getUint16(at + 2));
  }
  return undefined;
}
