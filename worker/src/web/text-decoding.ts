const MARKS: readonly (readonly [bytes: readonly number[], label: string])[] = [
  [[0xef, 0xbb, 0xbf], 'utf-8'],
  [[0xfe, 0xff], 'utf-16be'],
  [[0xff, 0xfe], 'utf-16le'],
  // "<?" without a byte order mark.
  [[0x00, 0x3c, 0x00, 0x3f], 'utf-16be'],
  [[0x3c, 0x00, 0x3f, 0x00], 'utf-16le'],
];
const LOOKED_AT = 1024;

/** Decodes text by its byte order mark, the charset of the header or the XML declaration; else as UTF-8. */
export function textOf(bytes: Buffer, contentType: string | undefined): string {
  return new TextDecoder(labelOf(bytes, contentType)).decode(bytes);
}

function labelOf(bytes: Buffer, contentType: string | undefined): string {
  const mark = MARKS.find(([start]) => start.every((byte, at) => bytes[at] === byte));
  if (mark) return mark[1];
  const [, given] = /;\s*charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType ?? '') ?? [];
  const start = bytes.toString('latin1', 0, LOOKED_AT);
  const [, declared] = /<\?xml[^>]*?\sencoding\s*=\s*["']([\w.:-]+)["']/i.exec(start) ?? [];
  // A declaration that is readable as ASCII cannot be UTF-16, whatever it says.
  const own = /^utf-?16/i.test(declared ?? '') ? undefined : declared;
  return [given, own].find(isKnown) ?? 'utf-8';
}

function isKnown(label: string | undefined): label is string {
  if (label === undefined) return false;
  try {
    void new TextDecoder(label);
    return true;
  } catch {
    return false;
  }
}
