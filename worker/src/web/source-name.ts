import { decodeStrictly, encodingLabelled, legacyText } from '@bowerbird/contract';

// What a source calls its file. Header values come as one character for each byte.

const LONGEST = 1024;

/** Text as it was meant: UTF-8 where the bytes are that, or else what servers wrote before it. */
const headerText = (value: string): string => legacyText(Buffer.from(value, 'latin1'));

/** The suggested name, not cleaned: from Content-Disposition, else the requested path, else the host. */
export function sourceName(disposition: string | undefined, requested: URL): string {
  const name = (disposition && nameIn(disposition)) || lastSegment(requested) || requested.hostname;
  return name.slice(0, LONGEST).toWellFormed();
}

/** The last segment of a path that isn't empty, decoded. */
export function lastSegment({ pathname }: URL): string {
  return percentDecoded(pathname.split('/').findLast((segment) => segment !== '') ?? '');
}

function percentDecoded(text: string): string {
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  const decoded = bytes.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return headerText(decoded);
}

function nameIn(disposition: string): string | undefined {
  const parameters = parametersOf(disposition);
  const extended = parameters.get('filename*');
  const plain = parameters.get('filename');
  return (extended && extendedValue(extended)) || (plain && plainValue(plain)) || undefined;
}

/** As RFC 6266 has them, and as people write them: unquoted values with spaces go to the next semicolon. */
function parametersOf(disposition: string): Map<string, string> {
  const found = new Map<string, string>();
  const pattern = /;\s*([\w!#$%&+\-^`|~.]+\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))/gs;
  // A header without a type is still understood.
  for (const [
    ,
    name = '',
    quoted,
    token,
  ] of `;${disposition.replace(/^\s*(inline|attachment)\s*(?=;|$)/i, '')}`.matchAll(pattern)) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, quoted === undefined ? (token ?? '').trim() : unescaped(quoted));
  }
  return found;
}

/** A backslash before anything but a quote or itself is what some write into paths. */
const unescaped = (quoted: string): string => quoted.replace(/\\(["\\])/g, '$1');

/** RFC 8187: `charset'language'percent-encoded`; undefined where it is none. */
function extendedValue(value: string): string | undefined {
  const [, charset = '', encoded = ''] = /^([\w-]+)'[^']*'(.*)$/s.exec(value) ?? [];
  if (!charset || /%(?![0-9a-f]{2})/i.test(encoded)) return undefined;
  const bytes = Buffer.from(
    encoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  const encoding = encodingLabelled(charset);
  return encoding && decodeStrictly(bytes, encoding);
}

function plainValue(value: string): string {
  const words = value.replace(/=\?([\w-]+)\?([bq])\?([^?]*)\?=(?:\s+(?==\?))?/gi, encodedWord);
  if (words !== value) return words;
  const text = headerText(value);
  return /%[0-9a-f]{2}/i.test(text) ? percentDecoded(text) : text;
}

/** RFC 2047, which does not belong here and is found here all the same. */
function encodedWord(whole: string, charset: string, encoding: string, text: string): string {
  const bytes =
    encoding.toLowerCase() === 'b'
      ? Buffer.from(text, 'base64')
      : Buffer.from(
          text
            .replaceAll('_', ' ')
            .replace(/=([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
          'latin1',
        );
  return encodingLabelled(charset) === undefined ? whole : legacyText(bytes, charset);
}
