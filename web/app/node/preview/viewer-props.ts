import type { File } from '@bowerbird/contract';

export interface ViewerProps {
  readonly file: File;
  /** Files of the same listing that are loaded: subtitles, the songs that follow. */
  readonly beside: readonly File[];
  /** Gives the file anew, with fresh links. */
  readonly load: (id: string) => Promise<File>;
  /** It does not begin to play by itself: it is a part of a page, and nobody has asked for it. */
  readonly isStill?: boolean | undefined;
  /** The viewer has gone on to another file by itself: the next song. */
  readonly onTurn?: ((id: string) => void) | undefined;
}
