import type { ReactNode } from 'react';
import { useT } from '#app/i18n/t.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';

export interface ConfirmDialogProps {
  isOpen: boolean;
  onClose: () => void;
  onConfirm: () => void;
  title: ReactNode;
  /** Description of the consequences, with numbers. */
  text: ReactNode;
  /** Action as a verb: "Delete forever". */
  confirmLabel: string;
  cancelLabel?: string;
  isDanger?: boolean;
  busy?: boolean;
}

export function ConfirmDialog({
  isOpen,
  onClose,
  onConfirm,
  title,
  text,
  confirmLabel,
  cancelLabel,
  isDanger = false,
  busy = false,
}: ConfirmDialogProps) {
  const t = useT();
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={title}
      compact
      role="alertdialog"
      footer={
        <>
          <Button onClick={onClose} data-initial-focus>
            {cancelLabel ?? t('ui.cancel')}
          </Button>
          <Button variant={isDanger ? 'danger' : 'primary'} busy={busy} onClick={onConfirm}>
            {confirmLabel}
          </Button>
        </>
      }
    >
      <div className="text-ink-2">{text}</div>
    </Dialog>
  );
}
