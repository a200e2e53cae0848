import type { Keys } from '../foundation/index.ts';
import type { Failure } from './subscription.ts';

const URLS = 'subscription-url';

/** Addresses are stored encrypted, because they may contain passwords. */
export const createUrlColumn = (keys: Keys) => ({
  seal: (url: string): string => keys.encrypt(URLS, url),
  unseal: (text: string): string => keys.decrypt(URLS, text) ?? '',
});

/** Reads the failure of a subscription or of one of its items from its column. */
export const failureFrom = (text: string | null): Failure | undefined =>
  text === null ? undefined : (JSON.parse(text) as Failure);
