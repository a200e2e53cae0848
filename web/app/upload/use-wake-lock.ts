import { useEffect } from 'react';

/** Keeps the screen on while `isNeeded`, in browsers that can: phones stop uploads soon after it goes dark. */
export function useWakeLock(isNeeded: boolean): void {
  useEffect(() => {
    const { wakeLock } = navigator as { wakeLock?: WakeLock };
    if (!isNeeded || !wakeLock) return undefined;
    let isOver = false;
    let held: WakeLockSentinel | undefined;
    const letGo = (sentinel: WakeLockSentinel): void => void sentinel.release().catch(() => undefined);
    const hold = (): void => {
      if (document.visibilityState !== 'visible' || (held && !held.released)) return;
      wakeLock.request('screen').then(
        (sentinel) => {
          if (isOver) letGo(sentinel);
          else held = sentinel;
        },
        // A battery that is low, for example: the upload continues as long as the system lets it.
        () => undefined,
      );
    };
    hold();
    // The browser takes it back when the page is hidden.
    document.addEventListener('visibilitychange', hold);
    return () => {
      isOver = true;
      document.removeEventListener('visibilitychange', hold);
      if (held) letGo(held);
    };
  }, [isNeeded]);
}
