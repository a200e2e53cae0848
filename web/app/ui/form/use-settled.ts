import { useEffect, useState } from 'react';

/** Debounces a value: typed text is looked up after a pause. */
export function useSettled<V>(value: V, restMs: number): V {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), restMs);
    return () => clearTimeout(timer);
  }, [value, restMs]);
  return settled;
}
