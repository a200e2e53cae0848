import type { ErrorId } from '../errors.ts';
import type { Locale } from './locales.ts';
import type { MessageValues } from './messages.ts';
import { formatSize } from './size-units.ts';

/**
 * The text of a failure in the reader's language: the message that includes the time to wait (`error.<id>.wait`) if that
 * is known, otherwise the one that includes the limit that was reached (`error.<id>.limit`) if that is known, otherwise
 * the general text; `error.<id>.more` instead of the first two if more of what was used up can be bought; undefined if
 * the catalogue has none. `find` looks up and fills in a message of the catalogue.
 */
export function errorWords(
  locale: string,
  id: ErrorId,
  facts: Readonly<Record<string, string>>,
  find: (key: string, values: MessageValues) => string | undefined,
): string | undefined {
  const seconds = Number(facts['retry_in']);
  const values = { ...facts, ...amounts(locale, facts) };
  const known = seconds > 0 ? { ...values, when: waitWords(locale, seconds) } : values;
  const isExplained = 'when' in known || 'limit' in known;
  const more = facts['more'] && isExplained ? find(`error.${id}.more`, known) : undefined;
  const timed = more ?? ('when' in known ? find(`error.${id}.wait`, known) : undefined);
  const limited = timed === undefined && 'limit' in values ? find(`error.${id}.limit`, values) : undefined;
  return timed ?? limited ?? find(`error.${id}`, values);
}

/** Numbers of a limit and of what is used of it in the reader's language: `limit_bytes` is a size, `limit` a count. */
function amounts(locale: string, facts: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    ['limit', 'used'].flatMap((name) => {
      const [bytes, count] = [facts[`${name}_bytes`], facts[name]];
      if (bytes !== undefined) return [[name, formatSize(locale as Locale, Number(bytes))]];
      return count === undefined ? [] : [[name, new Intl.NumberFormat(locale).format(Number(count))]];
    }),
  );
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
