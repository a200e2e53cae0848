import { writableTime } from '@bowerbird/contract';

/** Milliseconds since the epoch. Everything that asks for the time gets a clock handed in, so tests can turn it. */
export interface Clock {
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** RFC 3339 with milliseconds and offset, as the wire has it. */
export function timeText(milliseconds: number): string {
  return `${new Date(writableTime(milliseconds)).toISOString().slice(0, -1)}+00:00`;
}

/** As HTTP and WebDAV write dates. */
export function httpDate(milliseconds: number): string {
  return new Date(writableTime(milliseconds)).toUTCString();
}
