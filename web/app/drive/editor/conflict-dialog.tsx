import { useEffect, useState } from 'react';
import { useErrorText } from '#app/api/error-text.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { cx } from '#app/ui/class-names.ts';
import { Dialog } from '#app/ui/dialog.tsx';
import { Spinner } from '#app/ui/spinner.tsx';
import { lineChanges } from './line-changes.ts';
import { useReadText, type NotEditable, type TextFile } from './use-opened-text.ts';

const SIGNS = { same: ' ', removed: '−', added: '+' } as const;

/** Somebody saved the file in the meantime: shows what differs, and asks what to do. */
export function ConflictDialog({
  id,
  text,
  isBusy,
  onOverwrite,
  onCopy,
  onClose,
}: {
  id: string;
  text: string;
  isBusy: boolean;
  onOverwrite: () => void;
  onCopy: () => void;
  onClose: () => void;
}) {
  const t = useT();
  const errorText = useErrorText();
  const read = useReadText();
  const [theirs, setTheirs] = useState<TextFile | NotEditable | { readonly error: unknown }>();
  const [isComparing, setComparing] = useState(false);
  useEffect(() => {
    if (!isComparing || theirs !== undefined) return;
    read(id).then(setTheirs, (error: unknown) => setTheirs({ error }));
  }, [isComparing, theirs, read, id]);
  return (
    <Dialog
      isOpen
      compact={!isComparing}
      size={isComparing ? 'l' : 'm'}
      holdsWork
      role="alertdialog"
      onClose={onClose}
      title={t('drive.editor.conflict.title')}
      footer={
        <>
          {!isComparing && (
            <Button variant="plain" onClick={() => setComparing(true)}>
              {t('drive.editor.conflict.compare')}
            </Button>
          )}
          <Button variant="danger" busy={isBusy} onClick={onOverwrite}>
            {t('drive.editor.conflict.overwrite')}
          </Button>
          <Button variant="primary" busy={isBusy} onClick={onCopy} data-initial-focus>
            {t('drive.editor.conflict.copy')}
          </Button>
        </>
      }
    >
      <p className="text-ink-2">{t('drive.editor.conflict.text')}</p>
      {isComparing &&
        (theirs === undefined ? (
          <Spinner label={t('node.preview.loading')} className="mx-auto mt-6 size-8 text-ink-2" />
        ) : typeof theirs === 'string' ? (
          <p className="mt-4">{t('drive.editor.binary')}</p>
        ) : 'error' in theirs ? (
          <p role="alert" className="mt-4 text-danger">
            {errorText(theirs.error)}
          </p>
        ) : (
          <Differences theirs={theirs.text} mine={text} />
        ))}
    </Dialog>
  );
}

function Differences({ theirs, mine }: { theirs: string; mine: string }) {
  const t = useT();
  const lines = lineChanges(theirs, mine);
  return (
    <div className="mt-4">
      <p className="mb-2 text-13 text-ink-3">{t('drive.editor.conflict.legend')}</p>
      <div
        role="region"
        aria-label={t('drive.editor.conflict.compare')}
        // Scrollable, so it must be reachable by keyboard.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        className="max-h-100 overflow-auto rounded-card border border-line py-2 font-mono text-13 leading-5"
      >
        {/* Lines never change places, so their index identifies them. */}
        {/* eslint-disable react/no-array-index-key */}
        {lines.map((line, at) =>
          line === undefined ? (
            <p key={at} className="px-3 text-ink-3">
              …
            </p>
          ) : (
            <p
              key={at}
              className={cx(
                'px-3 [overflow-wrap:anywhere] whitespace-pre-wrap',
                line.kind === 'removed' && 'bg-danger-wash text-danger',
                line.kind === 'added' && 'bg-blue-wash text-blue-strong',
              )}
            >
              {SIGNS[line.kind]} {line.text}
            </p>
          ),
        )}
        {/* eslint-enable react/no-array-index-key */}
      </div>
    </div>
  );
}
