import type { FetchFailure } from '@bowerbird/contract';

/** Reads the failure of a source or of one of its files from its column. */
export const failureFrom = (text: string | null): FetchFailure | undefined =>
  text === null ? undefined : (JSON.parse(text) as FetchFailure);

/** Writes a value as JSON into a column that may be empty. */
export const jsonOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value);
