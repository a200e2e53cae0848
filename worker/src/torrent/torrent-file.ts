import { createHash } from 'node:crypto';
import { fileTime, legacyReader, legacyText, writeMagnet, type SourceFacts } from '@bowerbird/contract';
import { FetchFailed } from '../fetch/engine.ts';
import {
  BencodeError,
  readBencoded,
  writeBencoded,
  type Bencoded,
  type BencodedDictionary,
  type Writable,
} from './bencode.ts';
import { cleanSources, type Sources } from './sources.ts';

/** A torrent parsed from its file, with all fields validated. */
export interface Torrent extends Sources {
  readonly infoHash: string;
  readonly name: string;
  /** If true, peers may only come from its trackers. */
  readonly private: boolean;
  readonly length: number;
  readonly pieceLength: number;
  readonly pieceCount: number;
  pieceHash(piece: number): Uint8Array;
  /** Files in byte order; `offset` is the position in the torrent. */
  readonly files: readonly TorrentEntry[];
  /** True for a single file, false for a folder. */
  readonly single: boolean;
  /** The bytes of the info dictionary, whose hash is the info-hash. */
  readonly info: Uint8Array;
  /** The declared encoding of its names, by label or code page. */
  readonly encoding: string | number | undefined;
  /** Creation date in milliseconds since 1970; undefined if absent or invalid. */
  readonly createdAt: number | undefined;
}

export interface TorrentEntry {
  readonly path: readonly string[];
  readonly size: number;
  readonly offset: number;
  /** True for padding files and links, which cannot be requested. */
  readonly filler: boolean;
}

/** Maximum size of a .torrent file, and of the metadata from peers. */
export const MAX_TORRENT_BYTES = 16 * 1024 * 1024;
const MAX_FILES = 100_000;
const MAX_SEGMENTS = 100;
const MAX_PIECES = 500_000;
const MAX_PIECE_LENGTH = 64 * 1024 * 1024;
const PIECE_HASH_BYTES = 20;
/** Maximum length of the name in a magnet link. */
const MAX_LINKED_NAME_LENGTH = 300;
/** BitComet's name prefix of padding files, from before there was an attribute for them. */
const FILLER_NAME = '_____padding_file';

/** Returns the facts of a .torrent file. Throws a final `torrent_invalid` for any other bytes. */
export function readTorrent(bytes: Uint8Array): SourceFacts {
  return factsOf(parseTorrent(bytes));
}

export function factsOf(torrent: Torrent): SourceFacts {
  const { infoHash, name, trackers, webSeeds } = torrent;
  return {
    kind: 'torrent',
    name,
    files: torrent.files.flatMap(({ path, size, filler }, index) => (filler ? [] : [{ index, path, size }])),
    ...(torrent.createdAt === undefined ? {} : { modifiedAt: torrent.createdAt }),
    torrent: {
      infoHash,
      magnet: writeMagnet({ infoHash, name: name.slice(0, MAX_LINKED_NAME_LENGTH), trackers, webSeeds }),
      file: writeTorrent(torrent).toString('base64'),
    },
  };
}

/** Writes the .torrent file again, with only the known fields around its info. */
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

/** Parses the info dictionary alone, as peers send it for a magnet link. */
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

/** Parses the outer dictionary. Accepts a file with a complete info even if the rest is broken or missing. */
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

/** Returns the declared encoding of the names. */
function declaredEncoding(outer: BencodedDictionary): string | number | undefined {
  const [encoding, codePage] = [outer.get('encoding'), outer.get('codepage')];
  if (encoding instanceof Uint8Array) return Buffer.from(encoding).toString('latin1');
  return typeof codePage === 'number' ? codePage : undefined;
}

/** Parses the creation date (seconds since 1970). Many programs write 0 for an unknown date. */
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
    // Any value except 0 counts as private.
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

/** Yields all names that may not be UTF-8; their encoding is detected from all of them together. */
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

/** Decodes fields that should be UTF-8 whatever encoding is declared. */
const decode = (bytes: Uint8Array): string => legacyText(bytes);

/** Yields all strings in an address, a list of addresses, or a list of lists. */
function* addressesIn(value: Bencoded | undefined | (Bencoded | undefined)[]): Generator<string> {
  if (value instanceof Uint8Array) yield decode(value);
  else if (Array.isArray(value)) for (const item of value) yield* addressesIn(item);
}

function invalid(reason: string): FetchFailed {
  return new FetchFailed('torrent_invalid', { final: true, facts: { reason } });
}
