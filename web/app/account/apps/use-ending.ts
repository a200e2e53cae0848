import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { useErrorText } from '#app/api/error-text.ts';
import { toast } from '#app/ui/toast/toast.tsx';

/** Removal of something from the account, after a confirmation. */
export interface Ending<T> {
  /** Subject of the confirmation; undefined if none is open. */
  readonly asked: T | undefined;
  readonly ask: (one: T) => void;
  /** Props that the dialogs of all these confirmations share. */
  readonly question: {
    readonly isOpen: true;
    readonly isDanger: true;
    readonly busy: boolean;
    readonly onClose: () => void;
    readonly onConfirm: () => void;
  };
}

/** `end` performs the removal and returns the text of the toast. */
export function useEnding<T>(end: (one: T) => Promise<string>): Ending<T> {
  const errorText = useErrorText();
  const revalidator = useRevalidator();
  const [asked, setAsked] = useState<T>();
  const [busy, setBusy] = useState(false);

  const confirm = async (): Promise<void> => {
    if (asked === undefined) return;
    setBusy(true);
    try {
      toast.show({ text: await end(asked) });
      await revalidator.revalidate();
    } catch (error) {
      toast.show({ text: errorText(error), tone: 'danger' });
    } finally {
      setBusy(false);
      setAsked(undefined);
    }
  };
  return {
    asked,
    ask: setAsked,
    question: {
      isOpen: true,
      isDanger: true,
      busy,
      onClose: () => setAsked(undefined),
      onConfirm: () => void confirm(),
    },
  };
}
