import type { ThumbnailOrder } from '@bowerbird/contract';
import type { BlobStore } from '@bowerbird/storage';
import sharp from 'sharp';
import { filledUp } from './cut-picture.ts';
import { embeddedJpeg } from './embedded-jpeg.ts';
import { takeFrame } from './frame.ts';

export interface Pictures {
  /** Creates a thumbnail from kept bytes and keeps it; rejects if the bytes cannot be decoded. */
  make(order: Pick<ThumbnailOrder, 'source' | 'target' | 'kind' | 'mime' | 'box' | 'square'>): Promise<void>;
}

const MOST_PIXELS = 100_000_000;
/** A baseline JPEG is scaled down while it is decoded, so that phone photos of 200 megapixels take little memory. */
const MOST_PIXELS_OF_ROWS = 300_000_000;
const MOST_BYTES = 128 * 1024 * 1024;
const DECODE_SECONDS = 10;
/** A truncated file with fewer bytes shows nothing. */
const LEAST_OF_CUT = 256;
/** Formats that may be decoded, whatever a file is called; all others that sharp supports (PDF) are refused. */
const FORMATS = new Set(['jpeg', 'png', 'gif', 'webp', 'heif', 'tiff']);
/**
 * Drawings are text, and a few bytes may be much work. They can't refer to anything outside: bytes in memory have no
 * address, without which the renderer opens neither files nor sites.
 */
const SVG = 'image/svg+xml';
const MOST_SVG_BYTES = 2 * 1024 * 1024;
/** Formats that aren't decoded here, but usually contain a finished picture: camera raw, and HEIC without HEVC. */
const EMBEDDING = new Set(['image/x-raw', 'image/heic']);
/** Pixels per inch for a drawing's own size, and the most for small ones. */
const [SVG_DENSITY, MOST_SVG_DENSITY] = [72, 2400];

/**
 * Decodes untrusted pictures one at a time, with limits on bytes, pixels, frames and time. ffmpeg is found on `path`.
 */
export function createPictures(storage: BlobStore, path: string): Pictures {
  sharp.cache(false);
  sharp.concurrency(1);

  async function read(key: string): Promise<Buffer> {
    const { stream, size } = await storage.open(key);
    if (size > MOST_BYTES) {
      stream.destroy();
      throw new Error('too many bytes to decode');
    }
    return Buffer.concat(await stream.toArray());
  }

  return {
    async make({ source, target, kind, mime, box, square = false }) {
      const content = kind === 'image' ? await read(source) : await takeFrame(storage, source, mime, path);
      const preview = EMBEDDING.has(mime) ? embeddedJpeg(content) : undefined;
      const image = preview?.bytes ?? content;
      if (mime === SVG && image.length > MOST_SVG_BYTES) throw new Error('too many bytes to draw');
      const { limit, density } = await pixelLimit(image, mime, box);
      const draw = (failOn: 'error' | 'none'): Promise<Buffer> =>
        // One page only: an animation shows its first frame.
        sharp(filledUp(image), {
          limitInputPixels: limit,
          pages: 1,
          failOn,
          sequentialRead: true,
          ...(density === undefined ? {} : { density }),
        })
          .autoOrient()
          .rotate(preview?.degrees ?? 0)
          .resize({
            width: box,
            height: box,
            fit: square ? 'cover' : 'inside',
            withoutEnlargement: !square,
          })
          .timeout({ seconds: DECODE_SECONDS })
          .webp({ quality: 80, effort: 3 })
          .toBuffer();
      const picture = await draw('error').catch((error: unknown) => {
        if (image.length < LEAST_OF_CUT || mime === SVG || /timeout/i.test(String(error))) throw error;
        // A truncated file shows the part that was received.
        return draw('none');
      });
      await storage.put(target, picture);
    },
  };
}

/**
 * Throws if a picture has too many pixels or an unsupported format. Returns the limit, and for drawings the pixels per
 * inch that fill a box.
 */
async function pixelLimit(
  image: Buffer,
  mime: string,
  box: number,
): Promise<{ readonly limit: number; readonly density?: number }> {
  const described = sharp(filledUp(image), { limitInputPixels: false, pages: 1, failOn: 'none' });
  const { format, width, height, isProgressive } = await described.metadata();
  const isDrawing = format === 'svg' && mime === SVG;
  if (!FORMATS.has(format) && !isDrawing) throw new Error(`${format} is not decoded`);
  const limit = format === 'jpeg' && !isProgressive ? MOST_PIXELS_OF_ROWS : MOST_PIXELS;
  if (width * height > limit) throw new Error(`${width} × ${height} pixels are too many to decode`);
  if (!isDrawing) return { limit };
  const density = Math.min(MOST_SVG_DENSITY, (SVG_DENSITY * box) / Math.max(width, height, 1));
  return { limit, density: Math.max(1, density) };
}
