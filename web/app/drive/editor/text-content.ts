import { encodeStrictly } from '@bowerbird/contract';
import { decoded, guessEncoding, isNoText, type Encoding } from '#app/node/preview/text-file.ts';

type LineEnding = '\n' | '\r\n' | '\r';

/** Form of a text as bytes, which an editor has to preserve. */
export interface TextForm {
  readonly encoding: Encoding;
  readonly hasMark: boolean;
  readonly lineEnding: LineEnding;
}

export interface OpenedText {
  /** Lines end with a line feed, as in a text field. */
  readonly text: string;
  readonly form: TextForm;
  /** False if saving changes more than what is edited: mixed line endings, bytes that are no valid text. */
  readonly isExact: boolean;
}

const MARKS: Partial<Record<Encoding, readonly number[]>> = {
  'utf-8': [0xef, 0xbb, 0xbf],
  'utf-16le': [0xff, 0xfe],
  'utf-16be': [0xfe, 0xff],
};

/** Form of new files. */
export const PLAIN: TextForm = { encoding: 'utf-8', hasMark: false, lineEnding: '\n' };

/** Reads a text with its encoding, byte order mark and line endings; undefined if the bytes are no text. */
export function openText(bytes: Uint8Array): OpenedText | undefined {
  const encoding = guessEncoding(bytes);
  const content = decoded(bytes, encoding);
  if (isNoText(content)) return undefined;
  const hasMark = MARKS[encoding]?.every((byte, at) => bytes[at] === byte) ?? false;
  const form = { encoding, hasMark, lineEnding: lineEndingOf(content) };
  const text = content.replace(/\r\n?/g, '\n');
  return { text, form, isExact: isSame(writeText(text, form), bytes) };
}

/** Writes a text as bytes in a form; undefined if its encoding lacks one of the characters. */
export function writeText(text: string, { encoding, hasMark, lineEnding }: TextForm): Uint8Array | undefined {
  const content = lineEnding === '\n' ? text : text.replaceAll('\n', lineEnding);
  const bytes = encoded(content, encoding);
  const mark = hasMark ? MARKS[encoding] : undefined;
  return bytes && mark ? Uint8Array.from([...mark, ...bytes]) : bytes;
}

function encoded(content: string, encoding: Encoding): Uint8Array | undefined {
  if (encoding === 'utf-8') return new TextEncoder().encode(content);
  if (encoding !== 'utf-16le' && encoding !== 'utf-16be') return encodeStrictly(content, encoding);
  const bytes = new DataView(new ArrayBuffer(content.length * 2));
  for (let at = 0; at < content.length; at += 1)
    bytes.setUint16(at * 2, content.charCodeAt(at), encoding === 'utf-16le');
  return new Uint8Array(bytes.buffer);
}

/** The most frequent line ending. */
function lineEndingOf(content: string): LineEnding {
  const windows = content.split('\r\n').length - 1;
  const feeds = content.split('\n').length - 1 - windows;
  const returns = content.split('\r').length - 1 - windows;
  if (windows > feeds && windows >= returns) return '\r\n';
  return returns > feeds ? '\r' : '\n';
}

const isSame = (one: Uint8Array | undefined, other: Uint8Array): boolean =>
  one?.length === other.length && one.every((byte, at) => byte === other[at]);
