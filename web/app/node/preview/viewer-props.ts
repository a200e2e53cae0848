import type { File } from '@bowerbird/contract';

export interface ViewerProps {
  readonly file: File;
  /** Files of the same listing that are loaded: subtitles, the songs that follow. */
  readonly beside: readonly File[];
  /** Gives the file anew, with fresh links. */
  readonly load: (id: string) => Promise<File>;
}
