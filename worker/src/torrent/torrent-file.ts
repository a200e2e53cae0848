import { createHash } from 'node:crypto';
import type { SourceFacts } from '@bowerbird/contract';
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
    torrent: {
      infoHash,
      magnet: writeMagnet(infoHash, name, torrent),
      file: writeTorrent(torrent).toString('base64'),
    },
  };
}

/** The file again, without anything that we don't understand around its info. */
export function writeTorrent({ info, trackers, webSeeds }: Torrent): Buffer {
  const file = new Map<string, Writable>();
  if (trackers.length > 0)
    file.set(
      'announce-list',
      trackers.map((tracker) => [tracker]),
    );
  file.set('info', { raw: info });
  if (webSeeds.length > 0) file.set('url-list', webSeeds);
  return writeBencoded(file);
}

export function parseTorrent(bytes: Uint8Array): Torrent {
  if (bytes.length > MAX_TORRENT_BYTES) throw invalid('too_large');
  const spans = new Map<string, [number, number]>();
  const outer = read(bytes, spans);
  const span = spans.get('info');
  const info = outer.get('info');
  if (!span || !(info instanceof Map)) throw invalid('no_info');
  const encoding = outer.get('encoding');
  return describe(
    info,
    bytes.subarray(...span),
    cleanSources(
      addressesIn([outer.get('announce'), outer.get('announce-list')]),
      addressesIn(outer.get('url-list')),
    ),
    encoding instanceof Uint8Array ? decode(encoding) : 'utf-8',
  );
}

/** What peers hand out for a magnet link: the info alone. */
export function parseInfo(info: Uint8Array, sources: Sources): Torrent {
  if (info.length > MAX_TORRENT_BYTES) throw invalid('too_large');
  return describe(read(info), info, sources, 'utf-8');
}

function read(bytes: Uint8Array, spans?: Map<string, [number, number]>): BencodedDictionary {
  try {
    const value = readBencoded(bytes, spans);
    if (value instanceof Map) return value;
  } catch (error) {
    if (!(error instanceof BencodeError)) throw error;
  }
  throw invalid('not_bencoded');
}

function describe(info: BencodedDictionary, raw: Uint8Array, sources: Sources, encoding: string): Torrent {
  const pieces = info.get('pieces');
  if (!(pieces instanceof Uint8Array)) {
    throw invalid(info.get('meta version') === 2 || info.has('file tree') ? 'version_2_only' : 'no_pieces');
  }
  const pieceLength = info.get('piece length');
  if (typeof pieceLength !== 'number' || pieceLength < 1 || pieceLength > MAX_PIECE_LENGTH) {
    throw invalid('piece_length');
  }
  const infoHash = createHash('sha1').update(raw).digest('hex');
  const name = textOf(info, 'name', encoding) || infoHash;
  const files = filesOf(info, name, encoding);
  const last = files.at(-1);
  const length = last ? last.offset + last.size : 0;
  const pieceCount = Math.ceil(length / pieceLength);
  if (pieces.length !== pieceCount * PIECE_HASH_BYTES || pieceCount > MAX_PIECES) throw invalid('pieces');
  if (files.every(({ filler }) => filler)) throw invalid('no_files');
  return {
    infoHash,
    name,
    private: info.get('private') === 1,
    length,
    pieceLength,
    pieceCount,
    pieceHash: (piece) => pieces.subarray(piece * PIECE_HASH_BYTES, (piece + 1) * PIECE_HASH_BYTES),
    files,
    single: !info.has('files'),
    info: raw,
    ...sources,
  };
}

function filesOf(info: BencodedDictionary, name: string, encoding: string): TorrentEntry[] {
  const list = info.get('files');
  if (list === undefined) return [{ path: [name], size: sizeOf(info), offset: 0, filler: false }];
  if (!Array.isArray(list) || list.length === 0 || list.length > MAX_FILES) throw invalid('files');
  let offset = 0;
  return list.map((file) => {
    if (!(file instanceof Map)) throw invalid('files');
    const entry = { path: pathOf(file, encoding), size: sizeOf(file), offset };
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

function pathOf(file: BencodedDictionary, encoding: string): string[] {
  const [segments, written] = file.has('path.utf-8')
    ? [file.get('path.utf-8'), 'utf-8']
    : [file.get('path'), encoding];
  if (!Array.isArray(segments) || segments.length === 0 || segments.length > MAX_SEGMENTS)
    throw invalid('file_path');
  return segments.map((segment) => {
    if (!(segment instanceof Uint8Array)) throw invalid('file_path');
    return decode(segment, written);
  });
}

function textOf(dictionary: BencodedDictionary, key: string, encoding: string): string {
  const preferred = dictionary.get(`${key}.utf-8`);
  if (preferred instanceof Uint8Array) return decode(preferred);
  const value = dictionary.get(key);
  return value instanceof Uint8Array ? decode(value, encoding) : '';
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const lossy = new TextDecoder('utf-8', { ignoreBOM: true });

/** UTF-8 where it is that; what the torrent says it is otherwise; never a failure. */
function decode(bytes: Uint8Array, encoding = 'utf-8'): string {
  try {
    return utf8.decode(bytes);
  } catch {
    return legacy(encoding).decode(bytes);
  }
}

function legacy(encoding: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(encoding);
  } catch {
    return lossy;
  }
}

/** All strings in something that should be an address, a list of them, or lists of lists. */
function* addressesIn(value: Bencoded | undefined | (Bencoded | undefined)[]): Generator<string> {
  if (value instanceof Uint8Array) yield decode(value);
  else if (Array.isArray(value)) for (const item of value) yield* addressesIn(item);
}

function invalid(reason: string): FetchFailed {
  return new FetchFailed('torrent_invalid', { final: true, facts: { reason } });
}
