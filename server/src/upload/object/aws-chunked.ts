import { createHash, timingSafeEqual, type Hash } from 'node:crypto';
import type { ChunkSigner } from './object-signature.ts';

/** Thrown if the framing is broken or ends early. */
export class BadChunks extends Error {
  override name = 'BadChunks';
}

/** Thrown if a chunk differs from the signed one. */
export class ChunkForged extends Error {
  override name = 'ChunkForged';
}

const LONGEST_LINE = 16 * 1024;
const CR = 13;
const LF = 10;

/**
 * Content of an `aws-chunked` body: each chunk is `<hex size>[;chunk-signature=…]\r\n<bytes>\r\n`, the last
 * has size 0 and MAY be followed by trailing headers, which are passed to `trailer`. Throws {@link BadChunks}
 * also if the body ends before its last chunk. With a signer each chunk must have its signature;
 * {@link ChunkForged} otherwise.
 */
export async function* decodeChunks(
  source: AsyncIterable<Uint8Array>,
  trailer: (name: string, value: string) => void = () => {},
  signer?: ChunkSigner,
): AsyncGenerator<Uint8Array, void, undefined> {
  let state: 'size' | 'content' | 'after' | 'trailers' = 'size';
  let line: number[] = [];
  let left = 0;
  let hash: Hash | undefined;
  let stated = '';
  const judge = (): void => {
    if (!signer) return;
    const expected = Buffer.from(signer.next((hash ?? createHash('sha256')).digest()));
    const given = Buffer.from(stated);
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) throw new ChunkForged();
    hash = undefined;
  };
  for await (const bytes of source) {
    let at = 0;
    while (at < bytes.byteLength) {
      if (state === 'content') {
        const piece = bytes.subarray(at, at + left);
        at += piece.byteLength;
        left -= piece.byteLength;
        if (signer) (hash ??= createHash('sha256')).update(piece);
        if (left === 0) {
          state = 'after';
          judge();
        }
        yield piece;
        continue;
      }
      const byte = bytes[at]!;
      at += 1;
      if (byte !== LF) {
        if (line.push(byte) > LONGEST_LINE) throw new BadChunks('a line is too long');
        continue;
      }
      const text = Buffer.from(line.at(-1) === CR ? line.slice(0, -1) : line).toString('latin1');
      line = [];
      if (state === 'after') {
        if (text !== '') throw new BadChunks('a chunk is longer than its stated size');
        state = 'size';
      } else if (state === 'trailers') {
        const colon = text.indexOf(':');
        if (colon > 0) trailer(text.slice(0, colon).trim().toLowerCase(), text.slice(colon + 1).trim());
      } else {
        const size = /^([0-9a-f]{1,12})(?:;.*)?$/i.exec(text)?.[1];
        if (size === undefined) throw new BadChunks('a chunk has no size');
        left = Number.parseInt(size, 16);
        stated = /;\s*chunk-signature=([0-9a-f]{64})\s*$/i.exec(text)?.[1]?.toLowerCase() ?? '';
        state = left === 0 ? 'trailers' : 'content';
        if (left === 0) judge();
      }
    }
  }
  if (state !== 'trailers') throw new BadChunks('the body ends before its last chunk');
}
