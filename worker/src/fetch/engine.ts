import type { ErrorId, FetchFailure, FetchSpec, FetchStep, KeptFile, SourceFacts } from '@bowerbird/contract';

/** What fetches sources of some kind. An engine knows strangers and bytes, and nothing of members and tasks. */
export interface Engine {
  /** Finds out what a source is. Rejects with {@link FetchFailed}; promptly, with anything, once `signal` is aborted. */
  inspect(spec: FetchSpec, signal: AbortSignal): Promise<SourceFacts>;

  /**
   * Fetches the wanted files, and resolves when each of them was reported kept or failed. Tells the facts first, unless
   * they were found to be another kind of source: then it tells them and resolves. What an earlier run of the same id
   * and generation left is taken up where that is safe. Rejects with {@link FetchFailed}.
   *
   * Once `signal` is aborted it MUST reject within two seconds, with anything, and hold no connection and no file then;
   * what it staged stays.
   */
  fetch(job: FetchJob, report: FetchReport, signal: AbortSignal): Promise<void>;

  /** Gives back what a job left behind that isn't running. Idempotent; unknown ones are fine. */
  forget(id: string, generation: number): Promise<void>;

  /** Ends everything. */
  close(): Promise<void>;
}

export interface FetchJob {
  readonly id: string;
  readonly spec: FetchSpec;
  readonly generation: number;
  readonly wanted: Wanted;
  readonly kept: ReadonlySet<number>;
  readonly resume: unknown;
  readonly maxBytes: number;
}

/** The wanted files of a running job, which may change: engines look again whenever they choose what is next. */
export interface Wanted {
  has(index: number): boolean;
  /** Calls back after each change, until `signal` is aborted. */
  onChange(listener: () => void, signal: AbortSignal): void;
}

export interface FetchReport {
  facts(facts: SourceFacts): void;
  /** As often as it likes: words to the server are spaced out. */
  progress(progress: FetchProgress): void;
  resume(state: unknown): void;
  kept(index: number, file: KeptFile): void;
  failed(index: number, failure: FetchFailure): void;
}

export interface FetchProgress {
  readonly step: FetchStep;
  /** Bytes of the wanted files that are here, kept ones included. */
  readonly received: number;
  /** Bytes a second. */
  readonly speed: number;
  readonly peers?: number;
  /** Bytes of files that are under way, by index. */
  readonly files: ReadonlyMap<number, number>;
}

/** Why a source can't be had, in words of the catalogue. Anything else that an engine throws is a fault of ours. */
export class FetchFailed extends Error {
  override name = 'FetchFailed';
  readonly failure: FetchFailure;

  constructor(
    error: ErrorId,
    {
      final = false,
      facts,
      cause,
    }: { final?: boolean; facts?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(error, { cause });
    this.failure = facts ? { error, final, facts } : { error, final };
  }
}

/** Where the bytes of one file of a job are staged and kept: ids of ours, never anybody's names. */
export function placeOf(
  id: string,
  generation: number,
  index: number,
): { readonly staging: string; readonly key: string } {
  const source = id.toLowerCase();
  const place = `src-${source}-${generation}-${index}`;
  return { staging: place, key: `blob/${source.slice(-2)}/${place}` };
}
