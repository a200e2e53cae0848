const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Text of a header or an address that may contain a name: Node returns each byte as a character, and clients
 * that do not escape send UTF-8. Undefined if the bytes are not valid UTF-8.
 */
export function headerText(sent: string): string | undefined {
  const codes = [...sent].map((character) => character.codePointAt(0)!);
  if (codes.every((code) => code < 0x80)) return sent;
  // A character beyond a byte: the text is already decoded.
  if (codes.some((code) => code > 0xff)) return sent;
  try {
    return UTF8.decode(Buffer.from(sent, 'latin1'));
  } catch {
    return undefined;
  }
}
