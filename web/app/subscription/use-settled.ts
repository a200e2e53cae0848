import { useEffect, useState } from 'react';

/** A value once it has not changed for a while: what is typed is looked up when the hand rests. */
export function useSettled<V>(value: V, restMs: number): V {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), restMs);
    return () => clearTimeout(timer);
  }, [value, restMs]);
  return settled;
}
