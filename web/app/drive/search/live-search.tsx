import { useRef, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { ArrowLeft, Search } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { isComposing, SearchBox } from '#app/ui/form/search-box.tsx';
import { useTypedText } from '#app/ui/form/use-typed-text.ts';
import { useSlashKey } from './use-slash-key.ts';

/** Field of a page whose list shows what it finds. The page's address follows what is typed. */
export function LiveSearch({
  label,
  text: asked,
  onText,
  onLeave,
  onDone,
  isFolded = false,
  takesFocus = false,
  className,
}: {
  label: string;
  /** Text in the address. */
  text: string;
  onText: (text: string) => void;
  /** Moves the focus to the list. */
  onLeave: () => void;
  /** Called on Enter. */
  onDone?: (text: string) => void;
  /** Without room for the field, a button opens it over the bar. */
  isFolded?: boolean;
  /** The page was opened to search in. */
  takesFocus?: boolean;
  className?: string;
}) {
  const t = useT();
  const outer = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const { text, type, settle } = useTypedText(asked, onText);
  const [isOpen, setOpen] = useState(false);
  const shows = isOpen || asked !== '';

  const focus = (): void => {
    flushSync(() => setOpen(true));
    input.current?.focus();
    input.current?.select();
  };
  useSlashKey(() => {
    if (outer.current?.parentElement?.checkVisibility() !== true) return false;
    focus();
    return true;
  });
  const leave = (): void => {
    input.current?.blur();
    setOpen(false);
    onLeave();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isComposing(event)) return;
    if (event.key === 'Enter') {
      settle();
      onDone?.(text);
      leave();
    } else if (event.key === 'Escape' && text !== '' && isFolded) {
      settle('');
      leave();
    } else if (event.key === 'ArrowDown' || event.key === 'Escape') leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const field = (
    <SearchBox
      ref={input}
      label={label}
      text={text}
      onText={type}
      onKeyDown={onKeyDown}
      // A page that was opened to search in.
      // oxlint-disable-next-line jsx-a11y/no-autofocus
      autoFocus={takesFocus}
      hasKey
      className="flex-1"
    />
  );
  if (!isFolded)
    return (
      <search ref={outer} className={cx('flex min-w-0 flex-1', className)}>
        {field}
      </search>
    );
  return (
    <search ref={outer} className="contents">
      <span className="xl:hidden">
        <IconButton label={label} shortcut="/" icon={<Search />} onClick={focus} />
      </span>
      <div className={cx('search-bar', shows && 'search-bar-open search-bar-row')}>
        <div className="search-row">
          <IconButton
            label={t('search.close')}
            icon={<ArrowLeft className="rtl:-scale-x-100" />}
            onClick={() => {
              settle('');
              leave();
            }}
            className="-ms-1 xl:hidden"
          />
          {field}
        </div>
      </div>
    </search>
  );
}
