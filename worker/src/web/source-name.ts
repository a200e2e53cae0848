import { decodeStrictly, encodingLabelled, legacyText } from '@bowerbird/contract';

// The file name of a source. Header values have one character for each byte.

const LONGEST = 1024;

/** Decodes header text: as UTF-8 if valid, else in a legacy encoding. */
const headerText = (value: string): string => legacyText(Buffer.from(value, 'latin1'));

/** Returns the suggested name, not cleaned: from Content-Disposition, else the requested path, else the host. */
export function sourceName(disposition: string | undefined, requested: URL): string {
  const name = (disposition && nameIn(disposition)) || lastSegment(requested) || requested.hostname;
  return name.slice(0, LONGEST).toWellFormed();
}

/** Returns the last non-empty segment of a path, decoded. */
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

/** Parses parameters by RFC 6266, and malformed ones: unquoted values with spaces end at the next semicolon. */
function parametersOf(disposition: string): Map<string, string> {
  const found = new Map<string, string>();
  const pattern = /;\s*([\w!#$%&+\-^`|~.]+\*?)\s*=\s*(?:"((?:[^"\\]|\\.)*)"?|([^;]*))/gs;
  // A header without a disposition type is accepted.
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

/** Unescapes quotes and backslashes; other backslashes are kept, since some servers send paths with them. */
const unescaped = (quoted: string): string => quoted.replace(/\\(["\\])/g, '$1');

/** Decodes `charset'language'percent-encoded` (RFC 8187); returns undefined if invalid. */
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

/** Decodes RFC 2047 words, which are not allowed here but occur. */
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
