import type { ErrorId } from '../errors.ts';
import type { MessageValues } from './messages.ts';

/**
 * The text of a failure in the reader's language: if the time to wait is known, the message that includes it
 * (`error.<id>.wait`), otherwise the general text; undefined if the catalogue has none. `find` looks up and fills in a
 * message of the catalogue.
 */
export function errorWords(
  locale: string,
  id: ErrorId,
  facts: Readonly<Record<string, string>>,
  find: (key: string, values: MessageValues) => string | undefined,
): string | undefined {
  const seconds = Number(facts['retry_in']);
  const timed =
    seconds > 0 ? find(`error.${id}.wait`, { ...facts, when: waitWords(locale, seconds) }) : undefined;
  return timed ?? find(`error.${id}`, facts);
}

/** "in 45 seconds", "in 14 minutes", "in 3 days": uses the smaller unit below two of the larger one, and rounds up. */
export function waitWords(locale: string, seconds: number): string {
  const [count, unit] =
    seconds < 120
      ? [seconds, 'second' as const]
      : seconds < 7200
        ? [seconds / 60, 'minute' as const]
        : seconds < 172_800
          ? [seconds / 3600, 'hour' as const]
          : [seconds / 86_400, 'day' as const];
  return new Intl.RelativeTimeFormat(locale, { numeric: 'always' }).format(Math.ceil(count), unit);
}
