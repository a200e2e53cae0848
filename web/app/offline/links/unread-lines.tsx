import { useT } from '#app/i18n/t.ts';
import type { UnreadLine } from './parse-links.ts';

/** Number of lines shown; in a long pasted text nobody wants to see every line. */
const SHOWN = 5;

/** Lines that can't be downloaded, with the reason; a click selects the line in the box. */
export function UnreadLines({
  lines,
  onShow,
}: {
  lines: readonly UnreadLine[];
  onShow: (line: UnreadLine) => void;
}) {
  const t = useT();
  if (lines.length === 0) return null;
  const more = lines.length - SHOWN;
  return (
    <ul aria-label={t('offline.unread.label')} className="mt-2 grid gap-0.5 text-13">
      {lines.slice(0, SHOWN).map((one) => (
        <li key={one.start}>
          <button
            type="button"
            onClick={() => onShow(one)}
            className="flex w-full min-w-0 gap-2 rounded-small py-0.5 text-start text-ink-2 hover:text-ink pointer-coarse:min-h-11 pointer-coarse:items-center"
          >
            <span className="num shrink-0 text-ink-3">{t('offline.unread.line', { line: one.line })}</span>
            <span className="min-w-0 truncate">{one.text}</span>
            <span className="shrink-0 text-warning">
              {one.reason === 'unsupported'
                ? t('offline.unread.unsupported', { scheme: one.scheme })
                : t(`offline.unread.${one.reason}`)}
            </span>
          </button>
        </li>
      ))}
      {more > 0 && <li className="num text-ink-3">{t('offline.unread.more', { count: more })}</li>}
    </ul>
  );
}
