import { useMemo } from 'react';
import type { File, RecentKind } from '@bowerbird/contract';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT, type MessageKey } from '#app/i18n/t.ts';
import type { Column } from '#app/node/index.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { Meter } from '#app/ui/meter.tsx';
import { placeHref } from '../search/search-address.ts';
import { factOf, type RecentFact } from './recent-data.ts';

const WORDS: Readonly<Record<RecentKind, MessageKey>> = {
  added: 'drive.recent.event.added',
  saved: 'drive.recent.event.saved',
  downloaded: 'drive.recent.event.downloaded',
  extracted: 'drive.recent.event.extracted',
  opened: 'drive.recent.event.opened',
  played: 'drive.recent.event.played',
  edited: 'drive.recent.event.edited',
  shared: 'drive.recent.event.shared',
};

const isKind = (event: string): event is RecentKind => Object.hasOwn(WORDS, event);

/** Columns of Recent: what happened, where the file is, and when it happened. */
export function useRecentColumns(): readonly Column[] {
  const t = useT();
  return useMemo<readonly Column[]>(
    () => [
      {
        id: 'event',
        label: t('drive.recent.column.event'),
        width: 'minmax(150px, 0.42fr)',
        cell: (file) => <Happening file={file} />,
      },
      {
        id: 'folder',
        label: t('drive.recent.column.folder'),
        width: 'minmax(100px, 0.3fr)',
        cell: (file) => <Place file={file} />,
      },
      {
        id: 'time',
        label: t('drive.recent.column.time'),
        width: '120px',
        cell: (file) => <DateTime at={factOf(file)?.time ?? ''} />,
      },
    ],
    [t],
  );
}

function Happening({ file }: { file: File }) {
  const t = useT();
  const fact = factOf(file);
  if (!fact || !isKind(fact.event)) return null;
  return (
    <span className="inline-flex max-w-full items-center gap-2 pe-3 align-bottom @max-[600px]:pe-0">
      <span className="truncate">{t(WORDS[fact.event])}</span>
      {fact.play && fact.play.duration > 0 && <Played play={fact.play} />}
    </span>
  );
}

function Played({ play: { seconds, duration } }: { play: NonNullable<RecentFact['play']> }) {
  const t = useT();
  const format = useFormat();
  const label = t('drive.recent.position', {
    time: format.duration(seconds),
    duration: format.duration(duration),
  });
  return (
    <span className="flex shrink-0 items-center" data-tip={label}>
      <Meter value={seconds / duration} label={label} className="w-14!" />
    </span>
  );
}

function Place({ file }: { file: File }) {
  const t = useT();
  const fact = factOf(file);
  if (!fact) return null;
  const { id, name } = fact.folder;
  return (
    // The list handles clicks on its rows; the menu has the same for keys and fingers.
    <LocaleLink
      to={placeHref(file)}
      tabIndex={-1}
      draggable={false}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      className="inline-block max-w-full truncate pe-3 align-bottom hover:text-ink hover:underline pointer-coarse:pointer-events-none @max-[600px]:pe-0"
    >
      <bdi>{id === '' ? t('drive.files') : shownName(name)}</bdi>
    </LocaleLink>
  );
}
