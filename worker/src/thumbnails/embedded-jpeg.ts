import { jpegSize, PICTURE_HEAD_BYTES, pictureFacts } from '@bowerbird/contract';

/** Beginning of a JPEG: its start marker, and the first byte of the next one. */
const START = Buffer.from([0xff, 0xd8, 0xff]);
/** Beginnings to look at; chance finds are rarely followed by the structure of a JPEG. */
const MOST_STARTS = 2000;
const DEGREES: Readonly<Record<number, number>> = { 3: 180, 6: 90, 8: 270 };

/** Baseline and progressive frames; raw data is a lossless JPEG in some formats, which nothing shows. */
const isShown = (marker: number): boolean => marker >= 0xc0 && marker <= 0xc2;

/**
 * Finds the largest finished picture that a camera has put into its raw format, and by how many degrees it has to be
 * turned; `undefined` if there is none. `bytes` reach to the end of the file: decoders ignore what follows a picture.
 */
export function embeddedJpeg(content: Buffer): { bytes: Buffer; degrees: number } | undefined {
  const view = new DataView(content.buffer, content.byteOffset, content.byteLength);
  let best: { at: number; pixels: number } | undefined;
  let at = content.indexOf(START);
  for (let starts = 0; at >= 0 && starts < MOST_STARTS; starts += 1) {
    const [width, height] = jpegSize(view, at, isShown) ?? [0, 0];
    if (width * height > (best?.pixels ?? 0)) best = { at, pixels: width * height };
    at = content.indexOf(START, at + 1);
  }
  if (!best) return undefined;
  const bytes = content.subarray(best.at);
  // Most embedded pictures don't say how they have to be turned; the file around them does.
  const own = pictureFacts(bytes.subarray(0, PICTURE_HEAD_BYTES)).orientation;
  const { orientation = 1 } = pictureFacts(content.subarray(0, PICTURE_HEAD_BYTES));
  return { bytes, degrees: own === undefined || own === 1 ? (DEGREES[orientation] ?? 0) : 0 };
}
