const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * What came in a header or an address, where it may hold a name: Node gives each byte as a character, and clients that
 * do not escape send UTF-8. Undefined where the bytes are not that.
 */
export function headerText(sent: string): string | undefined {
  const codes = [...sent].map((character) => character.codePointAt(0)!);
  if (codes.every((code) => code < 0x80)) return sent;
  // No byte of a header: somebody has read it already.
  if (codes.some((code) => code > 0xff)) return sent;
  try {
    return UTF8.decode(Buffer.from(sent, 'latin1'));
  } catch {
    return undefined;
  }
}
