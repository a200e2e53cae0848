import { toast } from '#app/ui/toast/toast.tsx';
import { PresentPasswordField } from './account-fields.tsx';
import { FormDialog } from './form-dialog.tsx';

interface EndingDialogProps {
  readonly title: string;
  readonly text: string;
  /** Intent for the page's action, and the id it applies to. */
  readonly intent: string;
  readonly id: string;
  readonly submit: string;
  /** Text of the toast on success. */
  readonly done: string;
  readonly onClose: () => void;
}

/** Confirms with the password that a means of access to the account is removed. */
export function EndingDialog({ title, text, intent, id, submit, done, onClose }: EndingDialogProps) {
  return (
    <FormDialog
      title={title}
      intent={intent}
      submit={submit}
      isDanger
      onClose={onClose}
      onDone={() => toast.show({ text: done })}
    >
      {({ errors }) => (
        <>
          <input type="hidden" name="id" value={id} />
          <p className="text-ink-2">{text}</p>
          <PresentPasswordField errors={errors} />
        </>
      )}
    </FormDialog>
  );
}
