import { writableTime } from '@bowerbird/contract';

/**
 * Milliseconds since the epoch. All code that needs the time gets a clock passed in, so that tests can
 * control it.
 */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** Formats RFC 3339 with milliseconds and offset, as in the API. */
export function timeText(milliseconds: number): string {
  return `${new Date(writableTime(milliseconds)).toISOString().slice(0, -1)}+00:00`;
}

/** Formats a date for HTTP and WebDAV. */
export function httpDate(milliseconds: number): string {
  return new Date(writableTime(milliseconds)).toUTCString();
}
