const WEBP_HEAD = 12;
const SIZE_AT = 4;
/** Bytes that the size field of a WebP does not count: the container id and the field itself. */
const UNCOUNTED = 8;
/** Maximum padding; more missing bytes are not plausible for a real file. */
const MOST_MISSING = 64 * 1024 * 1024;

/**
 * Pads a truncated WebP with zeros to its declared size. Decoders of JPEG, PNG and GIF show the received part of a
 * truncated file; the WebP decoder rejects incomplete files.
 */
export function filledUp(image: Buffer): Buffer {
  const isWebp =
    image.length > WEBP_HEAD &&
    image.toString('latin1', 0, 4) === 'RIFF' &&
    image.toString('latin1', 8, WEBP_HEAD) === 'WEBP';
  const missing = isWebp ? image.readUInt32LE(SIZE_AT) + UNCOUNTED - image.length : 0;
  return missing > 0 && missing <= MOST_MISSING ? Buffer.concat([image, Buffer.alloc(missing)]) : image;
}
