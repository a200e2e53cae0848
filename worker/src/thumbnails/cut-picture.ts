const WEBP_HEAD = 12;
const SIZE_AT = 4;
/** What the size of a WebP doesn't count: the name of its container, and the size itself. */
const UNCOUNTED = 8;
/** More zeros than this stand for nothing that anybody has. */
const MOST_MISSING = 64 * 1024 * 1024;

/**
 * A picture as long as it says it is, with zeros in place of what is missing. Decoders of JPEG, PNG and GIF show what
 * has arrived of a file that was cut off; that of WebP looks at nothing that isn't whole.
 */
export function filledUp(image: Buffer): Buffer {
  const isWebp =
    image.length > WEBP_HEAD &&
    image.toString('latin1', 0, 4) === 'RIFF' &&
    image.toString('latin1', 8, WEBP_HEAD) === 'WEBP';
  const missing = isWebp ? image.readUInt32LE(SIZE_AT) + UNCOUNTED - image.length : 0;
  return missing > 0 && missing <= MOST_MISSING ? Buffer.concat([image, Buffer.alloc(missing)]) : image;
}
