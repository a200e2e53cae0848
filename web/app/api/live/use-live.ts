import { useEffect, useEffectEvent } from 'react';
import type { LiveTopic } from '@bowerbird/contract';
import { useViewer } from '../viewer.ts';
import { onSignedIn } from '../sign-in.ts';
import { followAccount, onLive } from './live.ts';

/** Follows the account of the signed-in member while the page is open; for the root of pages that show its data. */
export function LiveHost(): null {
  const member = useViewer()?.sub;
  useEffect(() => {
    if (member === undefined) return undefined;
    let stop = followAccount();
    // The same member signed in again, with a new session.
    const ended = onSignedIn(() => {
      stop();
      stop = followAccount();
    });
    return () => {
      ended();
      stop();
    };
  }, [member]);
  return null;
}

/**
 * Runs `onChange` when one of the topics has changed, here or anywhere else; at most once in `everyMs`, however often it
 * changes.
 */
export function useLive(topics: readonly LiveTopic[], onChange: () => void, everyMs = 1_000): void {
  const run = useEffectEvent(onChange);
  const wanted = topics.join(' ');
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let lastAt = Number.NEGATIVE_INFINITY;
    const stop = onLive((changed) => {
      if (timer !== undefined || !wanted.split(' ').some((topic) => changed.has(topic as LiveTopic))) return;
      timer = setTimeout(
        () => {
          timer = undefined;
          lastAt = performance.now();
          run();
        },
        Math.max(0, lastAt + everyMs - performance.now()),
      );
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [wanted, everyMs]);
}
