import { useFormat, type Format } from './format.ts';
import { useIsBrowser } from './page-frame.tsx';

/**
 * Time in the product's short format. The full date, in the language's own format, appears on hover and is
 * read by screen readers; `withFull` shows it on its own line.
 */
export function DateTime({
  at,
  as = 'dateTime',
  withFull = false,
}: {
  at: string;
  as?: 'dateTime' | 'date' | 'relative';
  withFull?: boolean;
}) {
  const format = useFormat();
  const isBrowser = useIsBrowser();
  const short = format[as](at);
  // Only the browser knows the reader's time zone, and server and browser may know different patterns of a
  // language.
  const full = isBrowser ? fullOf(format, at, as) : undefined;
  // A short date must not break at its hyphens.
  const line = as === 'relative' ? undefined : 'whitespace-nowrap';
  if (full === undefined)
    return Number.isNaN(Date.parse(at)) ? (
      short
    ) : (
      <time dateTime={at} className={line}>
        {short}
      </time>
    );
  return (
    <time dateTime={at} data-tip={withFull ? undefined : full} className={withFull ? 'grid' : line}>
      {as === 'relative' ? short : <span aria-hidden="true">{short}</span>}
      {withFull ? (
        <span className="text-12 text-ink-3">{full}</span>
      ) : (
        as !== 'relative' && <span className="sr-only select-none">{full}</span>
      )}
    </time>
  );
}

function fullOf(format: Format, at: string, as: 'dateTime' | 'date' | 'relative'): string | undefined {
  if (Number.isNaN(Date.parse(at))) return undefined;
  return as === 'date' ? format.fullDate(at) : format.fullDateTime(at);
}
