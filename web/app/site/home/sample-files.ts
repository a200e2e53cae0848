import type { FileCategory } from '@bowerbird/contract';
import type { MessageKey } from '#app/i18n/t.ts';

const MB = 1024 ** 2;

/** Files of the demonstrations on the home page; their names are in the reader's language. */
export const SAMPLE_FILES = [
  { id: 'trip', name: 'home.sample.trip', category: 'folder', size: 812 * MB },
  { id: 'film', name: 'home.sample.film', category: 'video', size: 4300 * MB },
  { id: 'song', name: 'home.sample.song', category: 'audio', size: 96 * MB },
  { id: 'poster', name: 'home.sample.poster', category: 'image', size: 38 * MB },
  { id: 'program', name: 'home.sample.program', category: 'pdf', size: 2.4 * MB },
] as const satisfies readonly SampleFile[];

interface SampleFile {
  readonly id: string;
  readonly name: MessageKey;
  readonly category: FileCategory;
  readonly size: number;
}
