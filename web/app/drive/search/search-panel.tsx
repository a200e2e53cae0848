import { useEffect, useState, type ReactNode } from 'react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { CircleQuestionMark, History, Search as SearchIcon, X } from 'lucide-react';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { browserTimeZone } from '#app/i18n/format.ts';
import { useT, type MessageKey } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { Button } from '#app/ui/button.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { announce } from '#app/ui/live-region.tsx';
import { useSettled } from '#app/ui/form/use-settled.ts';
import { PAUSE_MS } from '#app/ui/form/use-typed-text.ts';
import { HitRow, PanelRow } from './panel-row.tsx';
import { forgetSearch, forgetSearches, rememberSearch, useRecentSearches } from './recent-searches.ts';
import { searchHref, type Search } from './search-address.ts';
import { firstResultsQuery } from './search-data.ts';
import { SearchTips } from './search-tips.tsx';

interface PanelProps {
  /** Id of the grid with the rows. */
  readonly id: string;
  readonly user: string;
  readonly search: Search;
  /** Open folder, if it's not that of the whole drive. */
  readonly folder: { readonly id: string; readonly name: string } | undefined;
  readonly onFolder: (isHere: boolean) => void;
  readonly activeId: string | undefined;
  readonly onActive: (id: string) => void;
  readonly onText: (text: string) => void;
  /** Called when a result is opened. */
  readonly onFollow: () => void;
}

/** Recent searches, or the first results, below the field of the search in the bar. */
export default function SearchPanel(props: PanelProps) {
  const t = useT();
  const [showsTips, setShowsTips] = useState(false);
  const { search, folder, onFolder } = props;
  return (
    <>
      {/* The field keeps the focus, so that keys continue to work. */}
      {/* eslint-disable-next-line jsx-a11y/no-static-element-interactions */}
      <div onMouseDown={(event) => event.preventDefault()}>
        {folder && (
          <div role="group" aria-label={t('search.place')} className="flex gap-1.5 px-3 pt-3 pb-1">
            {[false, true].map((isHere) => (
              <button
                key={String(isHere)}
                type="button"
                aria-pressed={(search.folder !== '') === isHere}
                onClick={() => onFolder(isHere)}
                className="search-pill min-w-0"
              >
                <bdi className="truncate">
                  {isHere
                    ? t('search.place.here', { folder: shownName(folder.name) })
                    : t('search.place.all')}
                </bdi>
              </button>
            ))}
          </div>
        )}
        {search.text.trim() === '' ? <Start {...props} /> : <Found {...props} />}
        <div className="flex justify-end border-t border-line p-1.5">
          <Button size="s" variant="plain" icon={<CircleQuestionMark />} onClick={() => setShowsTips(true)}>
            {t('search.tips')}
          </Button>
        </div>
      </div>
      {showsTips && <SearchTips onClose={() => setShowsTips(false)} />}
    </>
  );
}

/** Filters that the empty field offers: [what they are written as, their label]. */
const SHORTCUTS: readonly (readonly [text: string, label: MessageKey])[] = [
  ['type:image ', 'search.kind.image'],
  ['type:video ', 'search.kind.video'],
  ['type:audio ', 'search.kind.audio'],
  ['type:document,pdf ', 'search.kind.document'],
  ['type:folder ', 'search.kind.folder'],
  ['is:starred ', 'search.starred'],
];

function Start({ id, user, search, activeId, onActive, onText }: PanelProps) {
  const t = useT();
  const recent = useRecentSearches(user);
  return (
    <div className="p-1.5">
      <div
        role="group"
        aria-label={t('search.filters')}
        className="flex flex-wrap gap-1.5 px-1.5 pt-1.5 pb-2"
      >
        {SHORTCUTS.map(([text, label]) => (
          <button key={text} type="button" onClick={() => onText(text)} className="search-pill">
            {t(label)}
          </button>
        ))}
      </div>
      {recent.length > 0 && (
        <>
          <div className="flex items-center justify-between ps-1.5">
            <h2 className="text-12 font-medium text-ink-3">{t('search.recent')}</h2>
            <Button size="s" variant="plain" onClick={() => forgetSearches(user)}>
              {t('search.recent.clear')}
            </Button>
          </div>
          <div id={id} role="grid" aria-label={t('search.recent')}>
            {recent.map((text, at) => (
              <PanelRow
                key={text}
                id={`${id}-${at}`}
                recent={text}
                isActive={activeId === `${id}-${at}`}
                onActive={onActive}
                to={searchHref({ ...search, text })}
                onFollow={() => rememberSearch(user, text)}
                after={
                  <span role="gridcell">
                    <IconButton
                      size="s"
                      label={t('search.recent.remove', { text })}
                      icon={<X className="size-4!" />}
                      onClick={() => forgetSearch(user, text)}
                    />
                  </span>
                }
              >
                <History aria-hidden="true" className="text-ink-3" />
                <bdi className="truncate">{shownName(text)}</bdi>
              </PanelRow>
            ))}
          </div>
        </>
      )}
    </div>
  );
}

const SAID_AFTER_MS = 600;
/** Name of the key, as in menus. */
const ENTER = 'Enter';

function Found({ id, search, activeId, onActive, onFollow, onFolder }: PanelProps) {
  const t = useT();
  const call = useCall();
  const textOf = useErrorText();
  const settled = useSettled(search.text.trim(), PAUSE_MS);
  const { data, isPlaceholderData, error, refetch } = useQuery({
    ...firstResultsQuery(call, { ...search, text: settled }, browserTimeZone),
    placeholderData: keepPreviousData,
  });
  const count = isPlaceholderData ? undefined : data?.files.length;
  useEffect(() => {
    if (count === undefined) return undefined;
    const timer = setTimeout(() => announce(t('search.found', { count })), SAID_AFTER_MS);
    return () => clearTimeout(timer);
  }, [count, settled, t]);

  if (error && !data) {
    return (
      <Message title={t('drive.failed.title')} text={textOf(error)}>
        <Button size="s" onClick={() => void refetch()}>
          {t('ui.retry')}
        </Button>
      </Message>
    );
  }
  if (!data) return <Waiting />;
  // A page may have no results although more follow.
  if (data.files.length === 0 && data.next_page_token === '') {
    return (
      <Message title={t('search.none.title', { query: settled })} text={t('search.none.text')}>
        {search.folder !== '' && (
          <Button size="s" onClick={() => onFolder(false)}>
            {t('search.none.everywhere')}
          </Button>
        )}
      </Message>
    );
  }
  return (
    <div id={id} role="grid" aria-label={t('search.label')} aria-busy={isPlaceholderData} className="p-1.5">
      {data.files.map((hit) => (
        <HitRow
          key={hit.id}
          hit={hit}
          id={`${id}-${hit.id}`}
          isActive={activeId === `${id}-${hit.id}`}
          onActive={onActive}
          onFollow={onFollow}
        />
      ))}
      <PanelRow
        id={`${id}-all`}
        isActive={activeId === `${id}-all`}
        onActive={onActive}
        onFollow={onFollow}
        to={searchHref(search)}
        after={
          activeId === undefined && (
            <kbd aria-hidden="true" className="pe-2 font-sans text-12 text-ink-3 max-md:hidden">
              {ENTER}
            </kbd>
          )
        }
      >
        <span className="grid size-8 place-items-center text-ink-3">
          <SearchIcon aria-hidden="true" />
        </span>
        <span className="truncate font-medium">{t('search.all')}</span>
      </PanelRow>
    </div>
  );
}

function Message({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="grid justify-items-center gap-1.5 px-6 py-7 text-center">
      <p className="font-medium [overflow-wrap:anywhere]">{title}</p>
      <p className="text-13 text-ink-3">{text}</p>
      {children && <div className="mt-2">{children}</div>}
    </div>
  );
}

/** Until the first results arrive, from 200 ms on. */
function Waiting() {
  return (
    <div aria-hidden="true" className="animate-[appear_200ms_200ms_backwards] p-1.5">
      {[34, 52, 41].map((width) => (
        <div key={width} className="flex h-12 items-center gap-3 px-2">
          <span className="size-8 rounded-control bg-line/60" />
          <span className="h-3 rounded-full bg-line/60" style={{ width: `${width}%` }} />
        </div>
      ))}
    </div>
  );
}
