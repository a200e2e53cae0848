import { decodeStrictly, guessLegacy, LEGACY_ENCODINGS } from '@bowerbird/contract';

/** Encodings to choose from, all of which are also detected. */
export const ENCODINGS = ['utf-8', 'utf-16le', 'utf-16be', ...LEGACY_ENCODINGS] as const;
export type Encoding = (typeof ENCODINGS)[number];

/** Number of bytes shown of a file; longer files need the user's own app. */
export const SHOWN_BYTES = 2 * 1024 * 1024;

export interface TextBytes {
  readonly bytes: Uint8Array;
  /** True if the file continues beyond the shown part. */
  readonly isCut: boolean;
}

/** Reads the start of a file, even if the server ignores or rejects the requested range. */
export async function readBeginning(
  url: string,
  signal: AbortSignal,
  most = SHOWN_BYTES,
): Promise<TextBytes> {
  const reply = await fetch(url, { signal, headers: { range: `bytes=0-${most - 1}` } });
  // An empty file has no satisfiable range.
  if (reply.status === 416) return { bytes: new Uint8Array(), isCut: false };
  if (!reply.ok || !reply.body) throw new Error(`status ${reply.status}`);
  const bytes = await firstBytes(reply.body, most + 1);
  const whole = Number(/\/(\d+)$/.exec(reply.headers.get('content-range') ?? '')?.[1] ?? 0);
  return { bytes: bytes.subarray(0, most), isCut: bytes.length > most || whole > most };
}

async function firstBytes(stream: ReadableStream<Uint8Array>, most: number): Promise<Uint8Array> {
  const reader = stream.getReader();
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < most) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    length += value.length;
  }
  await reader.cancel();
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes.subarray(0, most);
}

/**
 * Detects the most likely encoding: by its byte order mark, by zeros between letters, UTF-8 if it is valid,
 * otherwise by its words.
 */
export function guessEncoding(bytes: Uint8Array): Encoding {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, 4096);
  const zeros = [0, 0];
  sample.forEach((byte, at) => {
    if (byte === 0) zeros[at % 2]! += 1;
  });
  if (zeros[1]! > sample.length / 8 && zeros[0] === 0) return 'utf-16le';
  if (zeros[0]! > sample.length / 8 && zeros[1] === 0) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : (guessLegacy(linesOf(bytes.subarray(0, JUDGED_BYTES))) ?? 'utf-8');
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    // A character cut by the end of the shown part is not an error.
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Number of bytes sufficient to detect the encoding of a text. */
const JUDGED_BYTES = 64 * 1024;
const LINE_FEED = 0x0a;

function* linesOf(bytes: Uint8Array): Generator<Uint8Array> {
  let start = 0;
  while (start < bytes.length) {
    const end = bytes.indexOf(LINE_FEED, start);
    yield bytes.subarray(start, end < 0 ? bytes.length : end);
    if (end < 0) return;
    start = end + 1;
  }
}

export function decoded(bytes: Uint8Array, encoding: Encoding): string {
  // Browsers don't support DOS code pages, in which every byte is a character.
  if (encoding.startsWith('cp')) return decodeStrictly(bytes, encoding)!;
  return new TextDecoder(encoding).decode(bytes, { stream: true });
}

/** Share of replacement characters above which the content is not text. */
const MOST_BROKEN = 0.05;

/** Returns true if decoded content is not text: a program, a picture without an extension. */
export function isNoText(content: string): boolean {
  const sample = content.slice(0, 4096);
  const broken = sample.match(/[\0-\x08\x0e-\x1a\x1c-\x1f\ufffd]/g)?.length ?? 0;
  return broken > sample.length * MOST_BROKEN;
}

/** Longer lines are shown in pieces: no browser lays out a megabyte in a single line. */
export const LONGEST_LINE = 4000;
const LINES_IN_BLOCK = 200;

export interface Line {
  /** `undefined` for the later pieces of a long line. */
  readonly number: number | undefined;
  readonly text: string;
}

/** Splits the text's lines into blocks; browsers lay out a block only when it is near the screen. */
export function blocksOfLines(text: string): readonly (readonly Line[])[] {
  const lines = text.split(/\r\n|\n|\r/).flatMap((line, at): Line[] =>
    line.length <= LONGEST_LINE
      ? [{ number: at + 1, text: line }]
      : Array.from({ length: Math.ceil(line.length / LONGEST_LINE) }, (_, piece) => ({
          number: piece === 0 ? at + 1 : undefined,
          text: line.slice(piece * LONGEST_LINE, (piece + 1) * LONGEST_LINE),
        })),
  );
  return Array.from({ length: Math.ceil(lines.length / LINES_IN_BLOCK) }, (_, at) =>
    lines.slice(at * LINES_IN_BLOCK, (at + 1) * LINES_IN_BLOCK),
  );
}
