import { encodeStrictly, LEGACY_ENCODINGS } from '@bowerbird/contract';

/**
 * Possible byte encodings of a password: zips don't store it, and programs use the encoding of their machine.
 * UTF-8 is first; plain ASCII is the same in all.
 */
export function passwordBytes(password: string): Buffer[] {
  const utf8 = Buffer.from(password);
  if (utf8.every((byte) => byte < 0x80)) return [utf8];
  const found = new Map([[utf8.toString('hex'), utf8]]);
  for (const form of [password, password.normalize('NFC'), password.normalize('NFD')]) {
    for (const encoding of ['utf-8', ...LEGACY_ENCODINGS]) {
      const bytes = encoding === 'utf-8' ? Buffer.from(form) : encodeStrictly(form, encoding);
      if (bytes) found.set(Buffer.from(bytes).toString('hex'), Buffer.from(bytes));
    }
  }
  return [...found.values()];
}
