const SHIFTS = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21];
const SINES = Array.from({ length: 64 }, (_, at) => Math.floor(2 ** 32 * Math.abs(Math.sin(at + 1))));

/**
 * MD5 of a text in UTF-8, as lowercase hexadecimal (RFC 1321). Browsers don't provide it because it protects
 * nothing; here it creates a signature whose salts are public, as the protocol requires.
 */
export function md5(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const blocks = new DataView(new ArrayBuffer((((bytes.length + 8) >> 6) + 1) * 64));
  for (const [at, byte] of bytes.entries()) blocks.setUint8(at, byte);
  blocks.setUint8(bytes.length, 0x80);
  blocks.setUint32(blocks.byteLength - 8, bytes.length * 8, true);
  blocks.setUint32(blocks.byteLength - 4, Math.floor(bytes.length / 2 ** 29), true);

  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476];
  for (let start = 0; start < blocks.byteLength; start += 64) {
    let [a, b, c, d] = state as [number, number, number, number];
    for (let step = 0; step < 64; step++) {
      const [mixed, word] = mix(step, b, c, d);
      const sum = (a + mixed + SINES[step]! + blocks.getUint32(start + word * 4, true)) | 0;
      const shift = SHIFTS[(step >> 4) * 4 + (step & 3)]!;
      [a, b, c, d] = [d, (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0, b, c];
    }
    for (const [at, value] of [a, b, c, d].entries()) state[at] = (state[at]! + value) | 0;
  }
  const digest = new DataView(new ArrayBuffer(16));
  for (const [at, value] of state.entries()) digest.setUint32(at * 4, value, true);
  return Array.from(new Uint8Array(digest.buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the mixed value of three words in a step, and the index of the block word that the step uses. */
function mix(step: number, b: number, c: number, d: number): [mixed: number, word: number] {
  if (step < 16) return [(b & c) | (~b & d), step];
  if (step < 32) return [(d & b) | (~d & c), (5 * step + 1) % 16];
  if (step < 48) return [b ^ c ^ d, (3 * step + 5) % 16];
  return [c ^ (b | ~d), (7 * step) % 16];
}
