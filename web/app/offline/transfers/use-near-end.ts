import { useEffect, useEffectEvent } from 'react';

/** Rows before the end at which the next page is requested. */
const AHEAD = 20;

/** Calls `onNear` when a virtualized list is scrolled near its end. */
export function useNearEnd(last: number | undefined, count: number, onNear: () => void): void {
  const tell = useEffectEvent(onNear);
  const isNear = last !== undefined && last >= count - AHEAD;
  useEffect(() => {
    if (isNear) tell();
  }, [isNear, count]);
}
