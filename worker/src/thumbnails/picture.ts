import type { ThumbnailOrder } from '@bowerbird/contract';
import type { BlobStore } from '@bowerbird/storage';
import sharp from 'sharp';
import { takeFrame } from './frame.ts';

export interface Pictures {
  /** Makes a picture of kept bytes and keeps it; rejects where these bytes show nothing. */
  make(order: Pick<ThumbnailOrder, 'source' | 'target' | 'kind' | 'mime' | 'box' | 'square'>): Promise<void>;
}

const MOST_PIXELS = 100_000_000;
const MOST_BYTES = 64 * 1024 * 1024;
const DECODE_SECONDS = 10;
/** Formats whose decoders may run; everything else that sharp knows (SVG, PDF) stays shut. */
const FORMATS = new Set(['jpeg', 'png', 'gif', 'webp', 'heif', 'tiff']);

/** Decodes pictures of strangers, one at a time, with limits on bytes, pixels, frames and seconds. ffmpeg is found on `path`. */
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
      const image = kind === 'image' ? await read(source) : await takeFrame(storage, source, mime, path);
      // One page only: what moves shows its first frame.
      const decoder = sharp(image, {
        limitInputPixels: MOST_PIXELS,
        pages: 1,
        failOn: 'error',
        sequentialRead: true,
      });
      const { format } = await decoder.metadata();
      if (!FORMATS.has(format)) throw new Error(`${format} is not decoded`);
      const picture = await decoder
        .autoOrient()
        .resize({
          width: box,
          height: box,
          fit: square ? 'cover' : 'inside',
          withoutEnlargement: !square,
        })
        .timeout({ seconds: DECODE_SECONDS })
        .webp({ quality: 80, effort: 3 })
        .toBuffer();
      await storage.put(target, picture);
    },
  };
}
