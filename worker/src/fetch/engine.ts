import type { ErrorId, FetchFailure, FetchSpec, FetchStep, KeptFile, SourceFacts } from '@bowerbird/contract';

/** Fetches sources of some kind. An engine deals with strangers and bytes, and does not know members or tasks. */
export interface Engine {
  /** Inspects a source. Rejects with {@link FetchFailed}; promptly, with any error, once `signal` is aborted. */
  inspect(spec: FetchSpec, signal: AbortSignal): Promise<SourceFacts>;

  /**
   * Fetches the wanted files, and resolves when each of them was reported kept or failed. Reports the facts first; if
   * they show another kind of source, it resolves right after. Resumes from the bytes that an earlier run of the same
   * id and generation left, where that is safe. Rejects with {@link FetchFailed}.
   *
   * Once `signal` is aborted it MUST reject within two seconds, with any error, and hold no connection and no file
   * then; its staged bytes remain.
   */
  fetch(job: FetchJob, report: FetchReport, signal: AbortSignal): Promise<void>;

  /** Deletes what a job that is not running left behind. Idempotent; unknown ids are ignored. */
  forget(id: string, generation: number): Promise<void>;

  /** Stops all jobs and closes all connections. */
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

/** The wanted files of a running job. They may change, so engines check again whenever they choose the next file. */
export interface Wanted {
  has(index: number): boolean;
  /** Calls `listener` after each change, until `signal` is aborted. */
  onChange(listener: () => void, signal: AbortSignal): void;
}

export interface FetchReport {
  facts(facts: SourceFacts): void;
  /** May be called at any rate: events to the server are throttled. */
  progress(progress: FetchProgress): void;
  resume(state: unknown): void;
  kept(index: number, file: KeptFile): void;
  failed(index: number, failure: FetchFailure): void;
}

export interface FetchProgress {
  readonly step: FetchStep;
  /** Bytes of the wanted files received so far, including kept files. */
  readonly received: number;
  /** Bytes a second. */
  readonly speed: number;
  readonly peers?: number;
  /** Received bytes of the files in progress, by index. */
  readonly files: ReadonlyMap<number, number>;
}

/**
 * The reason why a source cannot be fetched, with an id of the error catalogue. Any other error of an engine is a bug.
 */
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

/**
 * Returns the staging area and the storage key of one file of a job. Both consist of our ids, never of a stranger's
 * names.
 */
export function placeOf(
  id: string,
  generation: number,
  index: number,
): { readonly staging: string; readonly key: string } {
  const source = id.toLowerCase();
  const place = `src-${source}-${generation}-${index}`;
  return { staging: place, key: `blob/${source.slice(-2)}/${place}` };
}
