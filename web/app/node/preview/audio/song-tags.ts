/** Facts about a song that its file contains. */
export interface SongTags {
  readonly title?: string;
  readonly artist?: string;
  readonly album?: string;
  /** A JPEG or PNG. */
  readonly cover?: Uint8Array<ArrayBuffer>;
}

/** Number of a song's first bytes that usually contain its tags and its cover. */
export const SONG_HEAD_BYTES = 512 * 1024;
const LONGEST_TEXT = 300;
const MOST_PARTS = 500;

type Bytes = Uint8Array<ArrayBuffer>;
type Found = { -readonly [K in keyof SongTags]: SongTags[K] };

/** Reads the tags in the first bytes of an MP3, FLAC, Ogg, Opus or MPEG-4 song. Any bytes can be passed. */
export function songTags(head: Bytes): SongTags {
  const found: Found = {};
  try {
    if (latin(head, 0, 3) === 'ID3') readId3(head, found);
    else if (latin(head, 0, 4) === 'fLaC') readFlac(head, found);
    else if (latin(head, 0, 4) === 'OggS') readOgg(head, found);
    else if (latin(head, 4, 4) === 'ftyp') readMp4(head, found);
  } catch {
    // Broken tags: those before them remain.
  }
  return found;
}

const latin = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Text without trailing zeros and control characters; the first of several. */
const clean = (text: string): string | undefined =>
  text
    .replace(/\0[^]*$/, '')
    .replaceAll(/\p{C}/gu, '')
    .trim()
    .slice(0, LONGEST_TEXT) || undefined;

type TextTag = 'title' | 'artist' | 'album';

function setText(found: Found, tag: TextTag | undefined, text: string): void {
  const value = clean(text);
  if (tag !== undefined && value !== undefined) found[tag] ??= value;
}

/** Keeps a cover if it is complete and a picture that browsers show. */
function setCover(found: Found, bytes: Bytes): void {
  const isPicture =
    (bytes[0] === 0xff && bytes[1] === 0xd8) || (bytes[0] === 0x89 && latin(bytes, 1, 3) === 'PNG');
  if (isPicture) found.cover ??= bytes.slice();
}

const ID3_TEXTS: Readonly<Record<string, TextTag>> = {
  TIT2: 'title',
  TPE1: 'artist',
  TALB: 'album',
  TT2: 'title',
  TP1: 'artist',
  TAL: 'album',
};

/** Numbers of 7 bits in each byte, so that they never look like the start of a sound frame. */
const safeNumber = (bytes: Uint8Array, at: number): number =>
  [0, 1, 2, 3].reduce((sum, index) => sum * 128 + (bytes[at + index]! & 0x7f), 0);

function readId3(head: Bytes, found: Found): void {
  const view = viewOf(head);
  const version = head[3]!;
  const end = Math.min(head.length, 10 + safeNumber(head, 6));
  const isOld = version === 2;
  let at = 10;
  if (!isOld && (head[5]! & 0x40) !== 0) at += version === 4 ? safeNumber(head, at) : view.getUint32(at) + 4;
  for (let part = 0; part < MOST_PARTS && at + (isOld ? 6 : 10) < end; part += 1) {
    const name = latin(head, at, isOld ? 3 : 4);
    if (!/^[A-Z0-9]+$/.test(name)) return;
    const size = isOld
      ? view.getUint32(at + 2) & 0xffffff
      : version === 4
        ? safeNumber(head, at + 4)
        : view.getUint32(at + 4);
    const from = at + (isOld ? 6 : 10);
    if (size === 0 || from + size > head.length) return;
    const body = head.subarray(from, from + size);
    if (ID3_TEXTS[name]) setText(found, ID3_TEXTS[name], id3Text(body[0]!, body.subarray(1)));
    else if (name === 'APIC' || name === 'PIC') setCover(found, id3Cover(body, isOld));
    at = from + size;
  }
}

/** Text by the encoding that its first byte names. */
function id3Text(encoding: number, bytes: Uint8Array): string {
  if (encoding === 3) return new TextDecoder().decode(bytes);
  if (encoding === 0) return new TextDecoder('windows-1252').decode(bytes);
  const isBig = encoding === 2 || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return new TextDecoder(isBig ? 'utf-16be' : 'utf-16le').decode(bytes);
}

/** Skips the encoding, the type, the kind and the description before the picture. */
function id3Cover(body: Bytes, isOld: boolean): Bytes {
  let at = isOld ? 5 : body.indexOf(0, 1) + 2;
  const isWide = body[0] === 1 || body[0] === 2;
  while (at < body.length && (body[at] !== 0 || (isWide && body[at + 1] !== 0))) at += isWide ? 2 : 1;
  return body.subarray(at + (isWide ? 2 : 1));
}

const [FLAC_COMMENTS, FLAC_PICTURE] = [4, 6];

function readFlac(head: Bytes, found: Found): void {
  const view = viewOf(head);
  let at = 4;
  for (let part = 0; part < MOST_PARTS && at + 4 < head.length; part += 1) {
    const kind = head[at]! & 0x7f;
    const isLast = head[at]! > 0x7f;
    const size = view.getUint32(at) & 0xffffff;
    const body = head.subarray(at + 4, at + 4 + size);
    if (body.length < size) return;
    if (kind === FLAC_COMMENTS) readComments(body, found);
    else if (kind === FLAC_PICTURE) setCover(found, flacCover(body));
    if (isLast) return;
    at += 4 + size;
  }
}

function flacCover(body: Bytes): Bytes {
  const view = viewOf(body);
  const afterType = 8 + view.getUint32(4);
  const afterText = afterType + 4 + view.getUint32(afterType);
  const size = view.getUint32(afterText + 16);
  const picture = body.subarray(afterText + 20, afterText + 20 + size);
  return picture.length === size ? picture : body.subarray(0, 0);
}

const COMMENTS: Readonly<Record<string, TextTag>> = { TITLE: 'title', ARTIST: 'artist', ALBUM: 'album' };

/** Comments of Vorbis: `TITLE=…`, each with its length before it. */
function readComments(body: Uint8Array, found: Found): void {
  const view = viewOf(body);
  let at = 4 + view.getUint32(0, true);
  const count = view.getUint32(at, true);
  at += 4;
  for (let part = 0; part < Math.min(count, MOST_PARTS); part += 1) {
    const size = view.getUint32(at, true);
    if (size < 4096) {
      const text = new TextDecoder().decode(body.subarray(at + 4, at + 4 + size));
      const split = text.indexOf('=');
      setText(found, COMMENTS[text.slice(0, split).toUpperCase()], text.slice(split + 1));
    }
    at += 4 + size;
  }
}

/** Comments follow their mark in one of the first packets. Long ones continue on later pages, and are cut. */
function readOgg(head: Bytes, found: Found): void {
  for (const mark of ['\u0003vorbis', 'OpusTags']) {
    const at = latin(head, 0, 8192).indexOf(mark);
    if (at >= 0) readComments(head.subarray(at + mark.length), found);
  }
}

const MP4_TEXTS: Readonly<Record<string, TextTag>> = { '©nam': 'title', '©ART': 'artist', '©alb': 'album' };

function readMp4(head: Bytes, found: Found): void {
  const path = ['moov', 'udta', 'meta', 'ilst'];
  let body: Bytes | undefined = head;
  for (const name of path) {
    body = boxes(body, name === 'ilst' ? 4 : 0).find(([box]) => box === name)?.[1];
    if (!body) return;
  }
  for (const [name, content] of boxes(body, 0)) {
    const data = boxes(content, 0)
      .find(([box]) => box === 'data')?.[1]
      .subarray(8);
    if (!data) continue;
    if (name === 'covr') setCover(found, data);
    else setText(found, MP4_TEXTS[name], new TextDecoder().decode(data));
  }
}

/** Boxes of MPEG-4 with their contents, as far as they are complete; the outermost may be cut. */
function boxes(bytes: Bytes, from: number): [string, Bytes][] {
  const view = viewOf(bytes);
  const all: [string, Bytes][] = [];
  for (let at = from; at + 8 <= bytes.length && all.length < MOST_PARTS;) {
    const size = view.getUint32(at);
    if (size < 8) break;
    all.push([latin(bytes, at + 4, 4), bytes.subarray(at + 8, at + size)]);
    at += size;
  }
  return all;
}
