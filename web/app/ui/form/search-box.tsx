import type { InputHTMLAttributes, KeyboardEvent, Ref } from 'react';
import { Search, X } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { cx } from '../class-names.ts';

export interface SearchBoxProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'value' | 'onChange'> {
  /** Accessible name, also shown while the field is empty. */
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  /** Shows the key that moves the focus here. */
  readonly hasKey?: boolean;
  readonly ref?: Ref<HTMLInputElement>;
}

/** Field to search with, without its results. */
export function SearchBox({ label, text, onText, hasKey = false, className, ref, ...rest }: SearchBoxProps) {
  const t = useT();
  return (
    <div className={cx('group/search relative min-w-0', className)}>
      <Search
        aria-hidden="true"
        className="pointer-events-none absolute inset-y-0 start-2.5 my-auto size-4.5 text-ink-3"
      />
      <input
        {...rest}
        ref={ref}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        aria-label={label}
        placeholder={label}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={500}
        value={text}
        onChange={(event) => onText(event.target.value)}
        className="search-field"
      />
      {text !== '' ? (
        <button
          type="button"
          aria-label={t('ui.clear')}
          data-tip={t('ui.clear')}
          onPointerDown={(event) => event.preventDefault()}
          onClick={(event) => {
            onText('');
            event.currentTarget.parentElement?.querySelector('input')?.focus();
          }}
          className="absolute inset-y-0 end-1 my-auto grid size-7 place-items-center rounded-small text-ink-3 hover:bg-hover hover:text-ink pointer-coarse:size-9"
        >
          <X aria-hidden="true" className="size-4" />
        </button>
      ) : (
        hasKey && (
          <kbd
            aria-hidden="true"
            className="pointer-events-none absolute inset-y-0 end-2 my-auto grid h-5.5 min-w-5.5 place-items-center rounded-small border border-line bg-sunken px-1 font-sans text-12 text-ink-3 group-focus-within/search:hidden max-md:hidden pointer-coarse:hidden"
          >
            /
          </kbd>
        )
      )}
    </div>
  );
}

/** Returns true while a key belongs to an input method: Enter then accepts a word. */
export const isComposing = (event: KeyboardEvent): boolean =>
  event.nativeEvent.isComposing || event.key === 'Process';
