import type { File } from '@bowerbird/contract';

export interface ViewerProps {
  readonly file: File;
  /** Loaded files of the same listing: subtitles, the songs that follow. */
  readonly beside: readonly File[];
  /** Loads the file again, with fresh links. */
  readonly load: (id: string) => Promise<File>;
  /** Prevents automatic playback: the viewer is part of a page, and nobody has asked for it. */
  readonly isStill?: boolean | undefined;
  /** Opens the editor of the file; undefined if it can't be edited. */
  readonly onEdit?: (() => void) | undefined;
  /** Called when the viewer has moved on to another file by itself: the next song. */
  readonly onTurn?: ((id: string) => void) | undefined;
}
