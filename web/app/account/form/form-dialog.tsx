import { useEffect, useId, type ReactNode } from 'react';
import { useFetcher } from 'react-router';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import type { FormResult } from './account-form.ts';
import { FormAlert, useFormErrors, type FormErrors } from './form-parts.tsx';

interface FormDialogProps {
  title: string;
  /** Intent for the page's action. */
  intent: string;
  submit: string;
  isDanger?: boolean;
  canSubmit?: boolean;
  size?: 's' | 'm';
  /** The next dialog replaces this one: it doesn't close on success. */
  staysOpen?: boolean;
  onClose: () => void;
  /** Called on success; the dialog closes by itself. */
  onDone?: (result: FormResult) => void;
  children: (form: { result: FormResult | undefined; errors: FormErrors }) => ReactNode;
}

/** Dialog for one change to the account. */
export function FormDialog({
  title,
  intent,
  submit,
  isDanger = false,
  canSubmit = true,
  size = 's',
  staysOpen = false,
  onClose,
  onDone,
  children,
}: FormDialogProps) {
  const t = useT();
  const id = useId();
  const fetcher = useFetcher<FormResult>();
  const result = fetcher.data;
  const errors = useFormErrors(result);
  const isDone = result?.done === true && fetcher.state === 'idle';
  useEffect(() => {
    if (!isDone || !result) return;
    onDone?.(result);
    if (!staysOpen) onClose();
    // Runs once per success, even if the page has changed its callbacks since.
    // eslint-disable-next-line react/exhaustive-deps
  }, [isDone]);

  return (
    <Dialog
      isOpen
      size={size}
      onClose={onClose}
      title={title}
      isDismissable={fetcher.state === 'idle'}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button
            type="submit"
            form={id}
            variant={isDanger ? 'danger' : 'primary'}
            busy={fetcher.state !== 'idle'}
            disabled={!canSubmit}
          >
            {submit}
          </Button>
        </>
      }
    >
      <fetcher.Form id={id} method="post" className="grid gap-4">
        <input type="hidden" name="intent" value={intent} />
        <FormAlert>{errors.whole}</FormAlert>
        {children({ result, errors })}
      </fetcher.Form>
    </Dialog>
  );
}
