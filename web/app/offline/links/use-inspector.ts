import { useEffect, useReducer, useState } from 'react';
import { useCall } from '#app/api/client.ts';
import { createInspector, type Inspector } from './inspector.ts';

/** Inspector with the lifetime of its component; `undefined` before the first paint. */
export function useInspector(): Inspector | undefined {
  const call = useCall();
  const [inspector, setInspector] = useState<Inspector>();
  const [, changed] = useReducer((turn: number) => turn + 1, 0);
  useEffect(() => {
    const made = createInspector(call, changed);
    setInspector(made);
    return () => made.end();
  }, [call]);
  return inspector;
}
