import { lazy, Suspense, useEffect, useState } from 'react';
import { useLocation, useRevalidator } from 'react-router';
import { useQueryClient } from '@tanstack/react-query';
import { onSignedOut } from '#app/api/client.ts';
import { hostSignIn } from '#app/api/sign-in.ts';

const SignInDialog = lazy(() => import('./sign-in-dialog.tsx'));

/** Shows the sign-in dialog when a page asks for it, and when a call finds that the session has ended. */
export function SignInHost() {
  const [answers, setAnswers] = useState<readonly ((isSignedIn: boolean) => void)[]>([]);
  const location = useLocation();
  const revalidator = useRevalidator();
  const queries = useQueryClient();

  useEffect(() => {
    const ask = (answer: (isSignedIn: boolean) => void): void => setAnswers((before) => [...before, answer]);
    const stopHosting = hostSignIn(ask);
    // Ten calls that fail at once are one question.
    const stopListening = onSignedOut(() => setAnswers((before) => (before.length > 0 ? before : [() => undefined])));
    return () => {
      stopHosting();
      stopListening();
    };
  }, []);

  const close = (isSignedIn: boolean): void => {
    setAnswers([]);
    for (const answer of answers) answer(isSignedIn);
  };
  if (answers.length === 0) return null;
  return (
    <Suspense>
      <SignInDialog
        continueTo={location.pathname + location.search}
        onClose={() => {
          close(false);
          void revalidator.revalidate();
        }}
        onDone={() => {
          close(true);
          void queries.invalidateQueries();
        }}
      />
    </Suspense>
  );
}
