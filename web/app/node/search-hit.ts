import type { File, SearchHit } from '@bowerbird/contract';
import type { Mark } from './name/marks.ts';

/** Path and matches of a file that a search found; undefined for files from elsewhere. */
export const hitOf = (file: File): SearchHit | undefined =>
  'matches' in file ? (file as SearchHit) : undefined;

/** Parts of a name that a search found. */
export const marksOf = (file: File): readonly Mark[] | undefined => hitOf(file)?.matches;
