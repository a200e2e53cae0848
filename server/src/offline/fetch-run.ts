import type { FetchFailure, FetchEvent } from '@bowerbird/contract';
import type { SourceRow } from './offline.ts';

/** A source that this process has leased and the fetcher is fetching. */
export interface Run {
  readonly source: SourceRow;
  /** The wanted files last sent to the fetcher, as JSON. */
  wanted: string;
  /** Resolves when the last event was handled: events are handled one at a time. */
  last: Promise<void>;
  progress: Extract<FetchEvent, { type: 'progress' }> | undefined;
  /** Received bytes by file index, of files that changed since they were last saved. */
  readonly moved: Map<number, number>;
  stopping: boolean;
  /** True after the fetcher's last event. */
  isOver: boolean;
  /** True if the traffic of the members who want it limits its size. */
  isShortOfTraffic: boolean;
  /** The reason to restart the fetch once it has stopped. */
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
    isShortOfTraffic: false,
    broken: undefined,
  };
}
