import type { FetchFailure, FetchWord } from '@bowerbird/contract';
import type { SourceRow } from './offline.ts';

/** A source that this process has leased, and that the fetcher works on. */
export interface Run {
  readonly source: SourceRow;
  /** What the fetcher was told to bring. */
  wanted: string;
  /** Words are worked on one after the other. */
  last: Promise<void>;
  progress: Extract<FetchWord, { word: 'progress' }> | undefined;
  /** Bytes of files that moved since they were last written down. */
  readonly moved: Map<number, number>;
  stopping: boolean;
  /** The fetcher has said its last word of it. */
  isOver: boolean;
  /** Why it is to be begun again, once it has stopped. */
  broken: FetchFailure | undefined;
}

export function createRun(source: SourceRow): Run {
  return {
    source,
    wanted: '',
    last: Promise.resolve(),
    progress: undefined,
    moved: new Map(),
    stopping: false,
    isOver: false,
    broken: undefined,
  };
}
