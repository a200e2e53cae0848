import { useEffect } from 'react';
import type { FetcherWithComponents } from 'react-router';
import type { FormResult } from '../form/account-form.ts';

/** Tells the page that asked once a form has signed somebody in. */
export function useSignedIn(
  fetcher: FetcherWithComponents<FormResult | undefined>,
  onDone: (() => void) | undefined,
): void {
  const isDone = fetcher.data?.done === true && fetcher.state === 'idle';
  useEffect(() => {
    if (isDone) onDone?.();
    // Once for each time that it is done, whatever the page made of its callback since.
    // eslint-disable-next-line react/exhaustive-deps
  }, [isDone]);
}
