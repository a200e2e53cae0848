import {
  lazy,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
  type FocusEvent,
  type KeyboardEvent,
} from 'react';
import { flushSync } from 'react-dom';
import { ArrowLeft, Search } from 'lucide-react';
import { useLocation, useNavigate } from 'react-router';
import { useViewer } from '#app/api/viewer.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { isComposing, SearchBox } from '#app/ui/form/search-box.tsx';
import { forgetSearch, rememberSearch } from './recent-searches.ts';
import { searchHref } from './search-address.ts';
import { useSlashKey } from './use-slash-key.ts';

const loadPanel = () => import('./search-panel.tsx');
const SearchPanel = lazy(loadPanel);

/** Rows of the panel that keys move through; each contains a link. */
const ROWS = '[role=row]';

/**
 * Search in the bar of the drive: a field, and what it finds below it. Without room for the field, a button opens it
 * over the bar, on phones over the whole screen.
 */
export function DriveSearch({
  folder,
}: {
  folder?: { readonly id: string; readonly name: string } | undefined;
}) {
  const t = useT();
  const navigate = useNavigate();
  const path = useLocalePath();
  const user = useViewer()?.sub ?? '';
  const gridId = useId();
  const outer = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const before = useRef<Element>(null);
  const [text, setText] = useState('');
  const [isOpen, setOpen] = useState(false);
  const [isHere, setHere] = useState(false);
  const [activeId, setActive] = useState<string>();
  const search = { text, folder: isHere && folder ? folder.id : '' };

  const open = (): void => {
    if (!isOpen) before.current = document.activeElement;
    void loadPanel().catch(() => undefined);
    // On phones, the keyboard appears only if the field has the focus before the tap ends.
    flushSync(() => setOpen(true));
    input.current?.focus();
    input.current?.select();
  };
  const close = (returnsFocus: boolean): void => {
    setOpen(false);
    setActive(undefined);
    if (!returnsFocus) return;
    setText('');
    const last = before.current;
    input.current?.blur();
    if (last instanceof HTMLElement && last.isConnected && last !== document.body) last.focus();
  };
  useSlashKey(() => {
    if (outer.current?.parentElement?.checkVisibility() !== true) return false;
    open();
    return true;
  });
  useClosing(isOpen, outer, close);
  // A new page is not covered by the panel from which it was opened.
  const { key } = useLocation();
  const [shownAt, setShownAt] = useState(key);
  if (shownAt !== key) {
    setShownAt(key);
    setOpen(false);
    setActive(undefined);
    setText('');
  }

  const showAll = (): void => {
    if (text.trim() === '') return;
    rememberSearch(user, text);
    void navigate(path(searchHref(search)));
    input.current?.blur();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event)) return;
    const rows = [...(outer.current?.querySelectorAll<HTMLElement>(ROWS) ?? [])];
    const here = rows.findIndex(({ id }) => id === activeId);
    const goTo = (at: number): void => {
      setActive(rows[at]?.id);
      rows[at]?.scrollIntoView({ block: 'nearest' });
    };
    if (event.key === 'ArrowDown') goTo(here + 1 < rows.length ? here + 1 : 0);
    else if (event.key === 'ArrowUp') goTo(here > 0 ? here - 1 : rows.length - 1);
    else if (event.key === 'Escape') close(true);
    else if (event.key === 'Enter') {
      const link = rows[here]?.querySelector('a');
      if (link) link.click();
      else showAll();
    } else if (event.key === 'Delete' && text === '' && rows[here]?.dataset['recent'] !== undefined) {
      forgetSearch(user, rows[here].dataset['recent']);
      setActive(rows[here + 1]?.id ?? rows[here - 1]?.id);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <search ref={outer} className="contents" onBlur={(event) => leaves(event) && close(false)}>
      <span className="xl:hidden">
        <IconButton
          label={t('search.label')}
          shortcut="/"
          icon={<Search />}
          aria-expanded={isOpen}
          onPointerEnter={() => void loadPanel().catch(() => undefined)}
          onClick={open}
        />
      </span>
      <div className={cx('search-bar', isOpen && 'search-bar-open')}>
        <div className="search-row">
          <IconButton
            label={t('search.close')}
            icon={<ArrowLeft className="rtl:-scale-x-100" />}
            onClick={() => close(true)}
            className="-ms-1 xl:hidden"
          />
          <SearchBox
            ref={input}
            label={t('search.drive')}
            text={text}
            hasKey
            onText={(next) => {
              setText(next);
              setActive(undefined);
              if (!isOpen) setOpen(true);
            }}
            onFocus={(event) => {
              if (!isOpen && event.relatedTarget) before.current = event.relatedTarget;
              void loadPanel().catch(() => undefined);
              setOpen(true);
            }}
            onKeyDown={onKeyDown}
            role="combobox"
            aria-expanded={isOpen}
            aria-haspopup="grid"
            aria-autocomplete="list"
            aria-controls={isOpen ? gridId : undefined}
            aria-activedescendant={activeId === undefined ? undefined : `${activeId}-cell`}
            className="flex-1"
          />
        </div>
        {isOpen && (
          <div className="search-panel">
            <Suspense>
              <SearchPanel
                id={gridId}
                user={user}
                search={search}
                folder={folder}
                onFolder={(here) => {
                  setHere(here);
                  setActive(undefined);
                }}
                activeId={activeId}
                onActive={setActive}
                onText={(next) => {
                  setText(next);
                  input.current?.focus();
                }}
                onFollow={() => rememberSearch(user, text)}
              />
            </Suspense>
          </div>
        )}
      </div>
    </search>
  );
}

/** True if the focus moves to another part of the page; not if the window or a phone's keyboard loses it. */
const leaves = ({ currentTarget, relatedTarget }: FocusEvent): boolean =>
  relatedTarget !== null && !currentTarget.contains(relatedTarget);

/** Closes the panel on a click elsewhere, and by a phone's back gesture. */
function useClosing(
  isOpen: boolean,
  outer: { readonly current: HTMLElement | null },
  close: (returnsFocus: boolean) => void,
): void {
  const latest = useRef(close);
  useEffect(() => {
    latest.current = close;
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const onPointerDown = ({ target }: PointerEvent): void => {
      if (target instanceof Node && outer.current?.contains(target) !== true) latest.current(false);
    };
    document.addEventListener('pointerdown', onPointerDown);
    const watcher = typeof CloseWatcher === 'undefined' ? undefined : new CloseWatcher();
    if (watcher) watcher.onclose = () => latest.current(true);
    return () => {
      document.removeEventListener('pointerdown', onPointerDown);
      watcher?.destroy();
    };
  }, [isOpen, outer]);
}
