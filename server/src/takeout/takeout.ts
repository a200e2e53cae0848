import type { Locale } from '@bowerbird/contract';

/**
 *   making ──▶ ready | failed
 */
export type TakeoutState = 'making' | 'ready' | 'failed';

/** Zip with a member's data besides the files themselves. */
export interface TakeoutRow {
  readonly id: string;
  readonly account: string;
  readonly state: TakeoutState;
  /** 0 to 100. */
  readonly progress: number;
  /** Language of its texts. */
  readonly locale: Locale;
  /** Key of the zip in the storage, once it is ready. */
  readonly storeKey: string | undefined;
  readonly size: number | undefined;
  readonly createdAt: number;
  /** Expiry; undefined while it is being made. */
  readonly expiresAt: number | undefined;
}

/** Days for which a copy can be downloaded. */
export const KEPT_DAYS = 7;

export const storeKeyOf = (id: string): string => `takeout/${id.toLowerCase()}`;
export const stagingIdOf = (id: string): string => `takeout-${id}`;
