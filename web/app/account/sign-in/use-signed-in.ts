import { useEffect } from 'react';
import type { FetcherWithComponents } from 'react-router';
import type { FormResult } from '../form/account-form.ts';

/** Notifies the page that opened a form after it has signed someone in. */
export function useSignedIn(
  fetcher: FetcherWithComponents<FormResult | undefined>,
  onDone: (() => void) | undefined,
): void {
  const isDone = fetcher.data?.done === true && fetcher.state === 'idle';
  useEffect(() => {
    if (isDone) onDone?.();
    // Runs once per sign-in, even if the page has changed its callback since.
    // eslint-disable-next-line react/exhaustive-deps
  }, [isDone]);
}
