import { digest } from './once.ts';

/** Condition of a request, and the version of its reply once that is known. */
export interface Validator {
  /** Value of `If-None-Match`. */
  readonly known: string | undefined;
  current?: string | undefined;
}

/** Result of a call whose reply the caller knows already. */
export const NOT_MODIFIED = Symbol('not modified');

/**
 * Returns the entity tag of a reply that stays the same as long as all these values do (RFC 9110, 8.8.3). It is weak:
 * the reply may still contain another time.
 */
export const entityTag = (values: readonly unknown[]): string => `W/"${digest(values).slice(0, 32)}"`;

/** Compares as `If-None-Match` does: any of several tags, weak or not. */
export function isKnown(tag: string, known: string | undefined): boolean {
  const opaque = (text: string): string => text.trim().replace(/^W\//, '');
  return known?.split(',').some((one) => opaque(one) === opaque(tag)) ?? false;
}
