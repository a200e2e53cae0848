import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import { useLocation, useNavigate, useRevalidator, useSearchParams } from 'react-router';
import { onSignedOut } from '#app/api/client.ts';
import { hostSignIn, tellSignedIn } from '#app/api/sign-in.ts';
import { useViewer } from '#app/api/viewer.ts';
import { actionOf, type PageAction } from '#app/embedding/page-actions.ts';
import { loadMessages } from '#app/i18n/catalogue.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useIsBrowser } from '#app/i18n/page-frame.tsx';

/** Actions in an address that open the dialog. */
const ACTIONS: ReadonlySet<PageAction | undefined> = new Set<PageAction>([
  'show_login',
  'login_required',
  'login_to_drive',
]);
const DRIVE_PATH = '/drive/all';

const SignInDialog = lazy(async () => {
  const [dialog] = await Promise.all([import('./sign-in-dialog.tsx'), loadMessages('account')]);
  return dialog;
});

/** Shows the sign-in dialog when a page asks for it, and when a call finds that the session has ended. */
export function SignInHost() {
  const [answers, setAnswers] = useState<readonly ((isSignedIn: boolean) => void)[]>([]);
  const [reason, setReason] = useState<string>();
  const location = useLocation();
  const revalidator = useRevalidator();
  const viewer = useViewer();
  const [search, setSearch] = useSearchParams();
  const navigate = useNavigate();
  const path = useLocalePath();
  const action = actionOf(search);
  const asksByAddress = ACTIONS.has(action);
  // Dialogs render only in the browser; the initial HTML doesn't contain this one.
  const isAskedByAddress = useIsBrowser() && asksByAddress && !viewer;

  useEffect(() => {
    const ask = (answer: (isSignedIn: boolean) => void, why: string | undefined): void => {
      setAnswers((before) => [...before, answer]);
      setReason(why);
    };
    const stopHosting = hostSignIn(ask);
    // Ten calls that fail at once open one dialog.
    const stopListening = onSignedOut(() =>
      setAnswers((before) => (before.length > 0 ? before : [() => undefined])),
    );
    return () => {
      stopHosting();
      stopListening();
    };
  }, []);

  // Navigating to another page, such as the sign-up page, dismisses the dialog without an answer.
  const [askedAt, setAskedAt] = useState(location.pathname);
  if (askedAt !== location.pathname) {
    setAskedAt(location.pathname);
    setAnswers([]);
  }

  const leadsToDrive = action === 'login_to_drive';
  const goOn = (isSignedIn: boolean): void => {
    if (isSignedIn && leadsToDrive) return void navigate(path(DRIVE_PATH), { replace: true });
    search.delete('action');
    setSearch(search, { replace: true, preventScrollReset: true });
    return undefined;
  };
  const onAnswered = useEffectEvent(() => goOn(true));
  // A member who is already signed in continues without the dialog.
  useEffect(() => {
    if (asksByAddress && viewer) onAnswered();
  }, [asksByAddress, viewer]);

  const close = (isSignedIn: boolean): void => {
    setAnswers([]);
    setReason(undefined);
    for (const answer of answers) answer(isSignedIn);
    if (asksByAddress) goOn(isSignedIn);
  };
  if (answers.length === 0 && !isAskedByAddress) return null;
  return (
    <Suspense>
      <SignInDialog
        reason={reason}
        continueTo={leadsToDrive ? path(DRIVE_PATH) : location.pathname + location.search}
        onClose={() => {
          close(false);
          void revalidator.revalidate();
        }}
        onDone={() => {
          close(true);
          tellSignedIn();
        }}
      />
    </Suspense>
  );
}
