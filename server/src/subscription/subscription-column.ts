import type { Keys } from '../foundation/index.ts';
import type { Failure } from './subscription.ts';

const URLS = 'subscription-url';

/** Addresses are stored encrypted, because they may contain passwords. */
export const createUrlColumn = (keys: Keys) => ({
  seal: (url: string): string => keys.encrypt(URLS, url),
  unseal: (text: string): string => keys.decrypt(URLS, text) ?? '',
});

export const failureFrom = (text: string | null): Failure | undefined =>
  text === null ? undefined : (JSON.parse(text) as Failure);

export const jsonOrNull = (value: unknown): string | null =>
  value === undefined || value === null ? null : JSON.stringify(value);
