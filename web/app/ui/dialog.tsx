import { useEffect, useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { X } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { cx } from './class-names.ts';
import { IconButton } from './icon-button.tsx';
import { lockScroll } from './scroll-lock.ts';

export interface DialogProps {
  isOpen: boolean;
  onClose: () => void;
  title: ReactNode;
  /** s 400 px, m 520 px, l 760 px, xl 960 px; all fill a phone's screen unless `compact`. */
  size?: 's' | 'm' | 'l' | 'xl';
  /** Stays a small card on phones, too: for a question with two answers. */
  compact?: boolean;
  /** Slides up from the bottom on phones, with the height of its content. */
  sheet?: boolean;
  /** False while it must not be closed by accident: an operation is running, or a secret is shown once. */
  isDismissable?: boolean;
  /** Contains unsaved input: Esc closes the dialog; a click outside, which may be accidental, does not. */
  holdsWork?: boolean;
  /** Contains only text: it takes the focus itself, so that it can be scrolled by keyboard. */
  isText?: boolean;
  role?: 'dialog' | 'alertdialog';
  footer?: ReactNode;
  children?: ReactNode;
  className?: string;
}

const widths = { s: 'md:w-100', m: 'md:w-130', l: 'md:w-190', xl: 'md:w-240' };

/**
 * The platform's own modal: it traps and returns the focus, is above everything, and a phone's back gesture
 * closes it.
 */
export function Dialog({ isOpen, ...rest }: DialogProps) {
  return isOpen ? <OpenDialog {...rest} /> : null;
}

function OpenDialog({
  onClose,
  title,
  size = 's',
  compact = false,
  sheet = false,
  isDismissable = true,
  holdsWork = false,
  isText = false,
  role = 'dialog',
  footer,
  children,
  className,
}: Omit<DialogProps, 'isOpen'>) {
  const t = useT();
  const titleId = useId();
  const box = useRef<HTMLDialogElement>(null);
  const close = useRef(onClose);
  useEffect(() => {
    close.current = onClose;
  });

  useLayoutEffect(() => {
    const dialog = box.current!;
    const isReturning = document.activeElement !== document.body;
    dialog.showModal();
    firstFocus(dialog).focus();
    const release = lockScroll();
    return () => {
      release();
      dialog.close();
      if (!isReturning) startAtTop();
    };
  }, []);

  return (
    // Keys close it through the platform's cancel event; the click outside is only the pointer's equivalent.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={box}
      role={role === 'dialog' ? undefined : role}
      aria-labelledby={titleId}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        if (isDismissable) close.current();
      }}
      onPointerDown={(event) => {
        if (isDismissable && !holdsWork && event.target === event.currentTarget) close.current();
      }}
      className={cx(
        'fixed m-0 flex max-h-none max-w-none flex-col overflow-hidden border-line bg-card text-ink shadow-float outline-none',
        'backdrop:animate-[appear_160ms_var(--ease)] backdrop:bg-scrim',
        'md:inset-0 md:m-auto md:h-fit md:max-h-[min(calc(100dvh-48px),860px)] md:max-w-[calc(100vw-48px)] md:animate-[grow_160ms_var(--ease)] md:rounded-dialog md:border',
        widths[size],
        compact
          ? 'max-md:inset-0 max-md:m-auto max-md:h-fit max-md:w-[calc(100vw-32px)] max-md:animate-[grow_160ms_var(--ease)] max-md:rounded-dialog max-md:border'
          : sheet
            ? 'max-md:inset-x-0 max-md:top-auto max-md:bottom-0 max-md:max-h-[88dvh] max-md:w-full max-md:animate-[slide-up_200ms_var(--ease)] max-md:rounded-t-dialog'
            : 'max-md:inset-0 max-md:h-dvh max-md:w-full max-md:animate-[rise_160ms_var(--ease)]',
        className,
      )}
    >
      <div className="flex shrink-0 items-start gap-3 pt-5 pr-4 pl-6 max-md:pt-4 max-md:pl-5">
        <h2 id={titleId} className="min-w-0 flex-1 pt-1 text-16 font-semibold [overflow-wrap:anywhere]">
          {title}
        </h2>
        <IconButton label={t('ui.close')} icon={<X />} onClick={onClose} />
      </div>
      <div
        {...(isText ? { role: 'group', tabIndex: 0, 'aria-labelledby': titleId } : {})}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-6 pt-3 pb-6 -outline-offset-2 max-md:px-5"
      >
        {children}
      </div>
      {footer !== undefined && (
        <div className="flex shrink-0 flex-wrap justify-end gap-2 border-t border-line px-6 py-4 max-md:px-5 max-md:pb-[max(16px,env(safe-area-inset-bottom))] max-md:[&>*]:h-11 max-md:[&>*]:flex-1">
          {footer}
        </div>
      )}
    </dialog>
  );
}

/**
 * Lets Tab continue with the first link of the page. Otherwise it would continue after the closed dialog, which is the
 * end of the page.
 */
function startAtTop(): void {
  const { body } = document;
  body.tabIndex = -1;
  body.focus({ preventScroll: true });
  body.removeAttribute('tabindex');
}

/**
 * Initial focus: an element that requests it, the first field, or the dialog itself, but not its close button.
 */
function firstFocus(dialog: HTMLDialogElement): HTMLElement {
  return (
    dialog.querySelector<HTMLElement>('[data-initial-focus]') ??
    dialog.querySelector<HTMLElement>(
      'input:not([type=hidden],[type=checkbox],[type=radio],:disabled), textarea:not(:disabled)',
    ) ??
    dialog
  );
}
