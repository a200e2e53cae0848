import { createHash } from 'node:crypto';
import { fileTime, legacyReader, legacyText, type SourceFacts } from '@bowerbird/contract';
import { FetchFailed } from '../fetch/engine.ts';
import {
  BencodeError,
  readBencoded,
  writeBencoded,
  type Bencoded,
  type BencodedDictionary,
  type Writable,
} from './bencode.ts';
import { cleanSources, writeMagnet, type Sources } from './magnet.ts';

/** A torrent as its file describes it, after everything in it was judged. */
export interface Torrent extends Sources {
  readonly infoHash: string;
  readonly name: string;
  /** Only its trackers may be asked for peers. */
  readonly private: boolean;
  readonly length: number;
  readonly pieceLength: number;
  readonly pieceCount: number;
  pieceHash(piece: number): Uint8Array;
  /** In the order of the bytes, whose place in the torrent `offset` is. */
  readonly files: readonly TorrentEntry[];
  /** Whether it is a file by itself, and not a folder. */
  readonly single: boolean;
  /** The dictionary whose hash the info-hash is, byte for byte. */
  readonly info: Uint8Array;
  /** What its names are said to be written in, by label or by number. */
  readonly encoding: string | number | undefined;
  /** When it was made, in milliseconds since 1970; undefined where it isn't told, or can't be. */
  readonly createdAt: number | undefined;
}

export interface TorrentEntry {
  readonly path: readonly string[];
  readonly size: number;
  readonly offset: number;
  /** Fills a gap or points elsewhere: nothing that anybody could want. */
  readonly filler: boolean;
}

/** Of a .torrent file, and of what peers hand out as one. */
export const MAX_TORRENT_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 100_000;
const MAX_SEGMENTS = 100;
const MAX_PIECES = 500_000;
const MAX_PIECE_LENGTH = 64 * 1024 * 1024;
const PIECE_HASH_BYTES = 20;
/** What BitComet calls the files that fill gaps, from before there was an attribute for it. */
const FILLER_NAME = '_____padding_file';

/** What a .torrent file is about. Any byte string that isn't one is `torrent_invalid`, once and for all. */
export function readTorrent(bytes: Uint8Array): SourceFacts {
  return factsOf(parseTorrent(bytes));
}

export function factsOf(torrent: Torrent): SourceFacts {
  const { infoHash, name } = torrent;
  return {
    kind: 'torrent',
    name,
    files: torrent.files.flatMap(({ path, size, filler }, index) => (filler ? [] : [{ index, path, size }])),
    ...(torrent.createdAt === undefined ? {} : { modifiedAt: torrent.createdAt }),
    torrent: {
      infoHash,
      magnet: writeMagnet(infoHash, name, torrent),
      file: writeTorrent(torrent).toString('base64'),
    },
  };
}

/** The file again, without anything that we don't understand around its info. */
export function writeTorrent({ info, trackers, webSeeds, encoding, createdAt }: Torrent): Buffer {
  const file = new Map<string, Writable>();
  if (trackers.length > 0)
    file.set(
      'announce-list',
      trackers.map((tracker) => [tracker]),
    );
  if (typeof encoding === 'number') file.set('codepage', encoding);
  if (createdAt !== undefined) file.set('creation date', Math.floor(createdAt / 1000));
  if (typeof encoding === 'string') file.set('encoding', encoding);
  file.set('info', { raw: info });
  if (webSeeds.length > 0) file.set('url-list', webSeeds);
  return writeBencoded(file);
}

export function parseTorrent(bytes: Uint8Array): Torrent {
  if (bytes.length > MAX_TORRENT_BYTES) throw invalid('too_large');
  const spans = new Map<string, [number, number]>();
  const outer = readAround(bytes, spans);
  const span = spans.get('info');
  const info = outer.get('info');
  if (!span || !(info instanceof Map)) throw invalid('no_info');
  return describe(
    info,
    bytes.subarray(...span),
    cleanSources(
      addressesIn([outer.get('announce'), outer.get('announce-list')]),
      addressesIn(outer.get('url-list')),
    ),
    { encoding: declaredEncoding(outer), createdAt: creationDate(outer) },
  );
}

/** What peers hand out for a magnet link: the info alone. */
export function parseInfo(info: Uint8Array, sources: Sources): Torrent {
  if (info.length > MAX_TORRENT_BYTES) throw invalid('too_large');
  return describe(read(info), info, sources, { encoding: undefined, createdAt: undefined });
}

function read(bytes: Uint8Array): BencodedDictionary {
  const value = tryRead(bytes);
  if (value instanceof Map) return value;
  throw invalid('not_bencoded');
}

function tryRead(bytes: Uint8Array, spans?: Map<string, [number, number]>): Bencoded | undefined {
  try {
    return readBencoded(bytes, spans);
  } catch (error) {
    if (error instanceof BencodeError) return undefined;
    throw error;
  }
}

const INFO_KEY = Buffer.from('4:infod');

/** A file whose info is whole is a torrent, whatever is broken or missing around it. */
function readAround(bytes: Uint8Array, spans: Map<string, [number, number]>): BencodedDictionary {
  const whole = tryRead(bytes, spans);
  if (whole instanceof Map) return whole;
  if (!spans.has('info')) {
    const at = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(INFO_KEY);
    const start = at + INFO_KEY.length - 1;
    const inner = new Map<string, [number, number]>();
    if (at < 0 || !(tryRead(bytes.subarray(start), inner) instanceof Map)) throw invalid('not_bencoded');
    spans.set('info', [start, start + inner.get('')![1]]);
  }
  return new Map(
    [...spans].map(([key, [start, end]]): [string, Bencoded] => [
      key,
      readBencoded(bytes.subarray(start, end)),
    ]),
  );
}

/** What a torrent says that its names are written in. */
function declaredEncoding(outer: BencodedDictionary): string | number | undefined {
  const [encoding, codePage] = [outer.get('encoding'), outer.get('codepage')];
  if (encoding instanceof Uint8Array) return Buffer.from(encoding).toString('latin1');
  return typeof codePage === 'number' ? codePage : undefined;
}

/** Seconds since 1970. Many programs write 0 where they don't know it. */
function creationDate(outer: BencodedDictionary): number | undefined {
  const seconds = outer.get('creation date');
  if (typeof seconds !== 'number' || seconds === 0) return undefined;
  const time = fileTime(seconds * 1000);
  return time !== undefined && time <= Date.now() ? time : undefined;
}

function describe(
  info: BencodedDictionary,
  raw: Uint8Array,
  sources: Sources,
  { encoding, createdAt }: Pick<Torrent, 'encoding' | 'createdAt'>,
): Torrent {
  const pieces = info.get('pieces');
  if (!(pieces instanceof Uint8Array)) {
    throw invalid(info.get('meta version') === 2 || info.has('file tree') ? 'version_2_only' : 'no_pieces');
  }
  const pieceLength = info.get('piece length');
  if (typeof pieceLength !== 'number' || pieceLength < 1 || pieceLength > MAX_PIECE_LENGTH) {
    throw invalid('piece_length');
  }
  const infoHash = createHash('sha1').update(raw).digest('hex');
  const read = legacyReader(namesIn(info), encoding);
  const name = textOf(info, 'name', read) || infoHash;
  const files = filesOf(info, name, read);
  const last = files.at(-1);
  const length = last ? last.offset + last.size : 0;
  const pieceCount = Math.ceil(length / pieceLength);
  if (pieces.length !== pieceCount * PIECE_HASH_BYTES || pieceCount > MAX_PIECES) throw invalid('pieces');
  if (files.every(({ filler }) => filler)) throw invalid('no_files');
  return {
    infoHash,
    name,
    // Whatever it says but a clear no is a yes.
    private: ![undefined, 0].includes(info.get('private') as number | undefined),
    length,
    pieceLength,
    pieceCount,
    pieceHash: (piece) => pieces.subarray(piece * PIECE_HASH_BYTES, (piece + 1) * PIECE_HASH_BYTES),
    files,
    single: !info.has('files'),
    info: raw,
    encoding,
    createdAt,
    ...sources,
  };
}

type Read = (bytes: Uint8Array) => string;

/** All names that may not be UTF-8: together they tell what they are. */
function* namesIn(info: BencodedDictionary): Generator<Uint8Array> {
  const files = info.get('files');
  const own = info.get('name');
  if (own instanceof Uint8Array && !info.has('name.utf-8')) yield own;
  for (const file of Array.isArray(files) ? files : []) {
    if (!(file instanceof Map) || file.has('path.utf-8')) continue;
    const path = file.get('path');
    for (const segment of Array.isArray(path) ? path : []) if (segment instanceof Uint8Array) yield segment;
  }
}

function filesOf(info: BencodedDictionary, name: string, read: Read): TorrentEntry[] {
  const list = info.get('files');
  if (list === undefined) return [{ path: [name], size: sizeOf(info), offset: 0, filler: false }];
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_FILES) throw invalid('files');
  let offset = 0;
  return list.map((file) => {
    if (!(file instanceof Map)) throw invalid('files');
    const entry = { path: pathOf(file, read), size: sizeOf(file), offset };
    offset += entry.size;
    if (!Number.isSafeInteger(offset)) throw invalid('file_size');
    return { ...entry, filler: isFiller(file, entry.path) };
  });
}

function isFiller(file: BencodedDictionary, path: readonly string[]): boolean {
  const attributes = file.get('attr');
  const letters = attributes instanceof Uint8Array ? decode(attributes) : '';
  return letters.includes('p') || letters.includes('l') || path.at(-1)!.startsWith(FILLER_NAME);
}

function sizeOf(file: BencodedDictionary): number {
  const size = file.get('length');
  if (typeof size !== 'number' || size < 0) throw invalid('file_size');
  return size;
}

function pathOf(file: BencodedDictionary, read: Read): string[] {
  const [segments, decoded] = file.has('path.utf-8')
    ? [file.get('path.utf-8'), decode]
    : [file.get('path'), read];
  if (!Array.isArray(segments) || segments.length === 0 || segments.length > MAX_SEGMENTS)
    throw invalid('file_path');
  return segments.map((segment) => {
    if (!(segment instanceof Uint8Array)) throw invalid('file_path');
    return decoded(segment);
  });
}

function textOf(dictionary: BencodedDictionary, key: string, read: Read): string {
  const preferred = dictionary.get(`${key}.utf-8`);
  if (preferred instanceof Uint8Array) return decode(preferred);
  const value = dictionary.get(key);
  return value instanceof Uint8Array ? read(value) : '';
}

/** What should be UTF-8, whatever was declared. */
const decode = (bytes: Uint8Array): string => legacyText(bytes);

/** All strings in something that should be an address, a list of them, or lists of lists. */
function* addressesIn(value: Bencoded | undefined | (Bencoded | undefined)[]): Generator<string> {
  if (value instanceof Uint8Array) yield decode(value);
  else if (Array.isArray(value)) for (const item of value) yield* addressesIn(item);
}

function invalid(reason: string): FetchFailed {
  return new FetchFailed('torrent_invalid', { final: true, facts: { reason } });
}
