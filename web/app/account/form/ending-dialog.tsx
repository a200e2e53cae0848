import { toast } from '#app/ui/toast/toast.tsx';
import { PresentPasswordField } from './account-fields.tsx';
import { FormDialog } from './form-dialog.tsx';

interface EndingDialogProps {
  readonly title: string;
  readonly text: string;
  /** What the page's action is to do, with this one. */
  readonly intent: string;
  readonly id: string;
  readonly submit: string;
  /** Told once it is done. */
  readonly done: string;
  readonly onClose: () => void;
}

/** A way into the account ends: its owner says so with the password. */
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
