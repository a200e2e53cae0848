import { readBeginning } from '../text-file.ts';
import { SONG_HEAD_BYTES, songTags } from './song-tags.ts';

/** Facts in a song's file, as they are shown. */
export interface ShownTags {
  readonly title?: string | undefined;
  readonly artist?: string | undefined;
  readonly album?: string | undefined;
  /** Address of the cover. */
  readonly cover?: string | undefined;
}

/** Reads a song's tags from its first bytes. `cover` is an address to be revoked. */
export async function readSong(url: string): Promise<ShownTags> {
  const { bytes } = await readBeginning(url, new AbortController().signal, SONG_HEAD_BYTES);
  const { cover, ...texts } = songTags(new Uint8Array(bytes));
  // A fixed type: whatever the bytes are, they are never a page.
  return cover ? { ...texts, cover: URL.createObjectURL(new Blob([cover], { type: 'image/jpeg' })) } : texts;
}
