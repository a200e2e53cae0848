import { ApiFailure } from '@bowerbird/contract';
import { BlobNotFound, type BlobStore, type OpenBlob, type Room } from '@bowerbird/storage';
import type { Clock, Ids } from '../foundation/index.ts';
import { LARGEST_PICTURE, ThumbnailerBusy, type Thumbnailer } from './thumbnailer.ts';

/** Where pictures of members lie, each under a name that nobody guesses. What was sent is never kept: it is made anew. */
export interface PictureShelf {
  /** Makes a square picture of the bytes; gives its name, or undefined where they are no picture. */
  make(sent: Buffer): Promise<string | undefined>;
  open(name: string): Promise<OpenBlob | undefined>;
  remove(name: string): Promise<void>;
  /** Removes what a crash left over, and pictures that are nobody's. */
  sweep(isKept: (name: string) => Promise<boolean>): Promise<void>;
}

const SIDE = 320;
const HOUR_MS = 3600 * 1000;
const PLACE = 'avatar';
/** Where bytes wait to be decoded. */
const RAW_PLACE = 'avatar-source';

interface Parts {
  bytes: BlobStore;
  /** Pictures go through the decoder that pictures of files go through. */
  thumbnailer: Thumbnailer;
  room: Room;
  clock: Clock;
  ids: Ids;
}

export function createPictureShelf({ bytes, thumbnailer, room, clock, ids }: Parts): PictureShelf {
  return {
    async make(sent) {
      const name = ids.secret().toLowerCase();
      const source = `${RAW_PLACE}/${name}`;
      const order = { source, target: `${PLACE}/${name}`, kind: 'image', mime: '', box: SIDE } as const;
      const claim = await room.claim(sent.length + LARGEST_PICTURE);
      try {
        await bytes.put(source, sent);
        return (await thumbnailer.make({ ...order, square: true })) ? name : undefined;
      } catch (error) {
        throw error instanceof ThumbnailerBusy ? new ApiFailure('unavailable') : error;
      } finally {
        await bytes.remove(source).finally(() => claim.release());
      }
    },

    open: (name) =>
      bytes.open(`${PLACE}/${name}`).catch((error: unknown) => {
        if (error instanceof BlobNotFound) return undefined;
        throw error;
      }),

    remove: (name) => bytes.remove(`${PLACE}/${name}`),

    async sweep(isKept) {
      const before = clock.now() - HOUR_MS;
      for (const place of [PLACE, RAW_PLACE])
        for await (const { key, modifiedAt } of bytes.list(`${place}/`)) {
          if (modifiedAt.getTime() >= before) continue;
          if (place === PLACE && (await isKept(key.slice(place.length + 1)))) continue;
          await bytes.remove(key);
        }
    },
  };
}
