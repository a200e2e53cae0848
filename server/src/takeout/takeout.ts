import type { Locale } from '@bowerbird/contract';

/**
 *   making ──▶ ready | failed
 */
export type TakeoutState = 'making' | 'ready' | 'failed';

/** A zip with what is kept of a member besides the files themselves. */
export interface TakeoutRow {
  readonly id: string;
  readonly account: string;
  readonly state: TakeoutState;
  /** 0 to 100. */
  readonly progress: number;
  /** In which its own words are. */
  readonly locale: Locale;
  /** Key of the zip in the storage, once it is ready. */
  readonly storeKey: string | undefined;
  readonly size: number | undefined;
  readonly createdAt: number;
  /** When it is forgotten; undefined while it is being made. */
  readonly expiresAt: number | undefined;
}

/** For so long a copy can be downloaded. */
export const KEPT_DAYS = 7;

export const storeKeyOf = (id: string): string => `takeout/${id.toLowerCase()}`;
export const stagingIdOf = (id: string): string => `takeout-${id}`;
