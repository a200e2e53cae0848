import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Eye, WrapText, X } from 'lucide-react';
import { LIMITS } from '@bowerbird/contract';
import { useErrorText } from '#app/api/error-text.ts';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { MiddleName } from '#app/node/index.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import Markdown from '#app/node/preview/markdown.tsx';
import { Button } from '#app/ui/button.tsx';
import { cx } from '#app/ui/class-names.ts';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { lockScroll } from '#app/ui/scroll-lock.ts';
import { Spinner } from '#app/ui/spinner.tsx';
import { ConflictDialog } from './conflict-dialog.tsx';
import { TextArea } from './text-area.tsx';
import { useDocument, type Editing } from './use-document.ts';
import { useOpenedText } from './use-opened-text.ts';

export interface EditorProps {
  readonly id: string;
  readonly name: string;
  readonly onClose: () => void;
}

/** Editor of a text file, over the whole page. */
export default function Editor({ id, name, onClose }: EditorProps) {
  const t = useT();
  const errorText = useErrorText();
  const format = useFormat();
  const opened = useOpenedText(id);
  const { data } = opened;
  if (data && typeof data === 'object')
    return <OpenEditor key={data.file.id} editing={{ opened: data }} onClose={onClose} />;
  return (
    <Frame name={name} onClose={onClose}>
      <div className="m-auto max-w-100 p-6 text-center text-ink-2">
        {opened.isError ? (
          <div role="alert" className="grid justify-items-center gap-3">
            {errorText(opened.error)}
            <Button onClick={() => void opened.refetch()}>{t('ui.retry')}</Button>
          </div>
        ) : data === 'large' ? (
          t('drive.editor.large', { size: format.bytes(LIMITS.editBytes) })
        ) : data === 'binary' ? (
          t('drive.editor.binary')
        ) : (
          <Spinner label={t('node.preview.loading')} className="size-8" />
        )}
      </div>
    </Frame>
  );
}

function OpenEditor({ editing, onClose }: { editing: Editing; onClose: () => void }) {
  const t = useT();
  const format = useFormat();
  const { file } = editing.opened;
  const page = useDocument(editing);
  const { text, form, isDirty, isSaving, asked } = page;
  const field = useRef<HTMLTextAreaElement>(null);
  const isMarkdown = /\.(md|markdown)$/i.test(file.name);
  const [wraps, setWraps] = useState(true);
  const [showsRendered, setShowsRendered] = useState(false);
  const [isLeaving, setLeaving] = useState(false);
  const leave = (): void => (isDirty ? setLeaving(true) : onClose());

  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    void page.save();
  };

  return (
    <>
      <Frame
        name={file.name}
        onClose={leave}
        onKeyDown={onKeyDown}
        state={
          isSaving
            ? t('drive.editor.saving')
            : isDirty
              ? t('drive.editor.unsaved')
              : page.savedAt
                ? t('drive.editor.saved')
                : ''
        }
        facts={form.encoding === 'utf-8' ? undefined : form.encoding.toUpperCase()}
        tools={
          <>
            {isMarkdown && (
              <IconButton
                label={t('drive.editor.rendered')}
                icon={<Eye />}
                isPressed={showsRendered}
                onClick={() => setShowsRendered(!showsRendered)}
              />
            )}
            <IconButton
              label={t('node.text.wrap')}
              icon={<WrapText />}
              isPressed={wraps}
              onClick={() => setWraps(!wraps)}
              className="max-md:hidden"
            />
            <Button variant="primary" busy={isSaving} disabled={!isDirty} onClick={() => void page.save()}>
              {t('drive.history.save')}
            </Button>
          </>
        }
      >
        <div className="flex min-h-0 min-w-0 flex-1 flex-col">
          {page.restoredAt !== undefined && (
            <Notice>
              {t('drive.editor.restored', { date: format.dateTime(new Date(page.restoredAt).toISOString()) })}
              <Button size="s" onClick={page.discard}>
                {t('drive.editor.discard')}
              </Button>
            </Notice>
          )}
          {!editing.opened.isExact && isDirty && <Notice>{t('drive.editor.inexact')}</Notice>}
          {page.error !== undefined && (
            <Notice role="alert" isDanger>
              {page.error}
            </Notice>
          )}
          <div className="flex min-h-0 flex-1">
            <div className={cx('min-w-0 flex-1', showsRendered && 'max-md:hidden')}>
              <TextArea
                ref={field}
                label={shownName(file.name)}
                text={text}
                wraps={wraps}
                onText={page.change}
              />
            </div>
            {showsRendered && (
              <div
                // Scrollable, so it must be reachable by keyboard.
                // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
                tabIndex={0}
                className="min-w-0 flex-1 overflow-auto border-s border-line bg-card px-6 py-4"
              >
                <Markdown source={text} className="mx-auto max-w-180" />
              </div>
            )}
          </div>
          <p className="border-t border-line px-6 py-1.5 text-12 text-ink-3 max-md:hidden">
            {t('drive.editor.tabHint')}
          </p>
        </div>
      </Frame>
      {asked === 'conflict' && (
        <ConflictDialog
          id={file.id}
          text={text}
          isBusy={isSaving}
          onClose={page.answerLater}
          onOverwrite={() => void page.save({ overwrite: true })}
          onCopy={() => void page.saveCopy().then((done) => done && onClose())}
        />
      )}
      <ConfirmDialog
        isOpen={asked === 'encoding'}
        onClose={page.answerLater}
        title={t('drive.editor.encoding.title')}
        text={t('drive.editor.encoding.text', { encoding: form.encoding.toUpperCase() })}
        confirmLabel={t('drive.editor.encoding.confirm')}
        onConfirm={() => void page.save({ asUtf8: true })}
      />
      <ConfirmDialog
        isOpen={isLeaving}
        isDanger
        onClose={() => setLeaving(false)}
        title={t('drive.editor.leave.title')}
        text={t('drive.editor.leave.text')}
        confirmLabel={t('drive.editor.discard')}
        cancelLabel={t('drive.editor.leave.stay')}
        onConfirm={() => {
          page.discard();
          onClose();
        }}
      />
    </>
  );
}

function Notice({
  children,
  role,
  isDanger = false,
}: {
  children: ReactNode;
  role?: 'alert';
  isDanger?: boolean;
}) {
  return (
    <div
      role={role}
      className={cx(
        'flex shrink-0 flex-wrap items-center gap-x-4 gap-y-2 border-b border-line px-6 py-2 text-13 max-md:px-4',
        isDanger ? 'bg-danger-wash text-danger' : 'bg-sunken text-ink-2',
      )}
    >
      {children}
    </div>
  );
}

function Frame({
  name,
  state = '',
  facts,
  tools,
  onClose,
  onKeyDown,
  children,
}: {
  name: string;
  state?: string;
  facts?: string | undefined;
  tools?: ReactNode;
  onClose: () => void;
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ReactNode;
}) {
  const t = useT();
  const box = useRef<HTMLDialogElement>(null);
  const isShown = useRef(false);
  useLayoutEffect(() => {
    const dialog = box.current!;
    dialog.showModal();
    isShown.current = true;
    const release = lockScroll();
    return () => {
      isShown.current = false;
      release();
      dialog.close();
    };
  }, []);
  return (
    // Keys close it, or ask first.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={box}
      aria-label={t('drive.editor.label', { name: shownName(name) })}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        onClose();
      }}
      // Browsers close a dialog whose page has prevented that before: unsaved changes need an answer first.
      onClose={(event) => {
        if (event.target !== event.currentTarget || !isShown.current) return;
        event.currentTarget.showModal();
        onClose();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) {
          event.preventDefault();
          onClose();
        } else onKeyDown?.(event);
      }}
      className="fixed inset-0 m-0 flex size-full max-h-none max-w-none animate-[appear_140ms_var(--ease)] flex-col border-0 bg-paper p-0 text-ink outline-none"
    >
      <header className="flex h-14 shrink-0 items-center gap-1 border-b border-line ps-6 pe-2 max-md:ps-4">
        <div className="grid min-w-0 flex-1">
          <MiddleName name={name} kind="file" className="font-medium" />
          <span className="truncate text-12 text-ink-3">
            <span role="status">{state}</span>
            {facts !== undefined && ` ${state === '' ? '' : '·'} ${facts}`}
          </span>
        </div>
        {tools}
        <IconButton label={t('drive.editor.close')} shortcut="Esc" icon={<X />} onClick={onClose} />
      </header>
      <div className="flex min-h-0 flex-1">{children}</div>
    </dialog>
  );
}
