import { ApiFailure } from '@bowerbird/contract';
import { BlobNotFound, type BlobStore, type OpenBlob, type Room } from '@bowerbird/storage';
import type { Clock, Ids } from '../../foundation/index.ts';
import { LARGEST_PICTURE, ThumbnailerBusy, type Thumbnailer } from './thumbnailer.ts';

/**
 * Stores the pictures of members under unguessable names. Never keeps the bytes that were sent: each picture is
 * re-encoded.
 */
export interface AvatarStore {
  /** Creates a square picture from the bytes. Returns its name, or undefined if they are not a picture. */
  make(sent: Buffer): Promise<string | undefined>;
  open(name: string): Promise<OpenBlob | undefined>;
  remove(name: string): Promise<void>;
  /** Deletes the remains of a crash and pictures that no account uses. */
  sweep(isKept: (name: string) => Promise<boolean>): Promise<void>;
}

const SIDE = 320;
const HOUR_MS = 3600 * 1000;
const PLACE = 'avatar';
/** Prefix of bytes that are waiting to be decoded. */
const RAW_PLACE = 'avatar-source';

interface Parts {
  bytes: BlobStore;
  /** Decodes the pictures, as it does the thumbnails of files. */
  thumbnailer: Thumbnailer;
  room: Room;
  clock: Clock;
  ids: Ids;
}

export function createAvatarStore({ bytes, thumbnailer, room, clock, ids }: Parts): AvatarStore {
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
