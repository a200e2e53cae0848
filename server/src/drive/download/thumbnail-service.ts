import { setTimeout as sleep } from 'node:timers/promises';
import { ApiFailure, mimeOf } from '@bowerbird/contract';
import { BlobNotFound, StorageFull, type BlobStore, type OpenBlob, type Room } from '@bowerbird/storage';
import { THUMBNAIL_PLACE } from '../blob/index.ts';
import type { Downloadable } from './download-service.ts';
import { pictureKind } from './link-service.ts';
import type { ThumbnailSize } from '../drive.ts';
import { LARGEST_PICTURE, ThumbnailerBusy, type Thumbnailer } from './thumbnailer.ts';

/** Longest sides, in pixels. */
const BOXES: Readonly<Record<ThumbnailSize, number>> = { SIZE_SMALL: 256, SIZE_LARGE: 1280 };
const LARGEST_IMAGE = 64 * 1024 * 1024;
/** Maximum wait for a thumbnail; the page then shows the file's icon instead. */
const PATIENCE_MS = 10_000;
const UNFIT_KEPT = 10_000;

export interface Thumbnails {
  /**
   * Returns the thumbnail of a file, created if necessary; `file_not_found` if that is impossible, `unavailable`
   * if it is at the moment.
   */
  open(file: Downloadable, size: ThumbnailSize): Promise<OpenBlob>;
}

export function createThumbnails({
  bytes,
  thumbnailer,
  room,
}: {
  bytes: BlobStore;
  thumbnailer: Thumbnailer | undefined;
  room: Room;
}): Thumbnails {
  /** Creates nothing that would use the disk's reserve. */
  async function draw(order: Parameters<Thumbnailer['make']>[0], by: Thumbnailer): Promise<boolean> {
    const claim = await room.claim(LARGEST_PICTURE);
    return by.make(order).finally(() => claim.release());
  }

  /** Thumbnails being created, so that parallel requests create each once. */
  const making = new Map<string, Promise<boolean>>();
  /** Files that no thumbnail can be made of; retried only after a restart. */
  const unfit = new Set<string>();

  const existing = (key: string): Promise<OpenBlob | undefined> =>
    bytes.open(key).catch((error: unknown) => {
      if (error instanceof BlobNotFound) return undefined;
      throw error;
    });

  function make(key: string, { node, blob }: Downloadable, size: ThumbnailSize): Promise<boolean> {
    const kind = pictureKind(node.name, thumbnailer?.posters ?? false);
    if (
      !thumbnailer ||
      kind === undefined ||
      unfit.has(key) ||
      (kind === 'image' && blob.size > LARGEST_IMAGE)
    )
      return Promise.resolve(false);
    const box = BOXES[size];
    const made = draw(
      { source: blob.store_key, target: key, kind, mime: mimeOf(node.name), box },
      thumbnailer,
    );
    made
      .then(
        (fit) => fit || remember(key),
        () => {},
      )
      .finally(() => making.delete(key));
    making.set(key, made);
    return made;
  }

  function remember(key: string): void {
    if (unfit.size >= UNFIT_KEPT) unfit.clear();
    unfit.add(key);
  }

  return {
    async open(file, size) {
      const key = `${THUMBNAIL_PLACE}/${file.blob.hash}/${size === 'SIZE_SMALL' ? 'small' : 'large'}`;
      const kept = await existing(key);
      if (kept) return kept;
      const late = new AbortController();
      try {
        const made = await Promise.race([
          making.get(key) ?? make(key, file, size),
          sleep(PATIENCE_MS, false, { signal: late.signal, ref: false }),
        ]);
        const picture = made ? await existing(key) : undefined;
        if (!picture) throw new ApiFailure('file_not_found');
        return picture;
      } catch (error) {
        if (error instanceof ThumbnailerBusy || error instanceof StorageFull)
          throw new ApiFailure('unavailable');
        throw error;
      } finally {
        late.abort();
      }
    },
  };
}
