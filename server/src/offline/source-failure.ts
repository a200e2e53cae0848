import type { FetchFailure } from '@bowerbird/contract';

/** Reads the failure of a source or of one of its files from its column. */
export const failureFrom = (text: string | null): FetchFailure | undefined =>
  text === null ? undefined : (JSON.parse(text) as FetchFailure);
