import { useNavigate } from 'react-router';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT, type MessageKey } from '#app/i18n/t.ts';
import { TypeChip } from '../search/type-chip.tsx';
import { HAPPENED, type Happened, type RecentFilter } from './recent-data.ts';

const HAPPENED_TEXT: Readonly<Record<Happened, MessageKey>> = {
  added: 'drive.recent.event.added',
  saved: 'drive.recent.filter.saved',
  opened: 'drive.recent.event.opened',
  played: 'drive.recent.event.played',
  edited: 'drive.recent.event.edited',
  shared: 'drive.recent.event.shared',
};

export const recentHref = ({ kind, types }: RecentFilter): string => {
  const query = new URLSearchParams({
    ...(kind ? { kind } : {}),
    ...(types ? { type: types.join(',') } : {}),
  }).toString();
  return `/drive/recent${query === '' ? '' : `?${query}`}`;
};

/** Filters of Recent: at most one event, which ends when it is pressed again, and kinds of files. */
export function FilterChips({ filter }: { filter: RecentFilter }) {
  const t = useT();
  const navigate = useNavigate();
  const path = useLocalePath();
  const choose = (next: RecentFilter): void => void navigate(path(recentHref(next)), { replace: true });
  const { kind, types } = filter;
  return (
    <div role="group" aria-label={t('search.filters')} className="search-filters">
      <TypeChip
        types={types}
        onTypes={(next) => choose({ kind, types: next && next.length > 0 ? next : undefined })}
      />
      <span aria-hidden="true" className="h-5 w-px shrink-0 bg-line" />
      {(Object.keys(HAPPENED) as Happened[]).map((one) => (
        <button
          key={one}
          type="button"
          aria-pressed={one === kind}
          onClick={() => choose({ types, kind: one === kind ? undefined : one })}
          className="search-pill shrink-0"
        >
          {t(HAPPENED_TEXT[one])}
        </button>
      ))}
    </div>
  );
}
