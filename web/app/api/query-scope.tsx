import { useEffect, useRef, useState, type ReactNode } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import { queryClient } from './query.ts';
import { onSignedIn } from './sign-in.ts';
import { useViewer } from './viewer.ts';

/** Lets pages keep what they loaded. It stands around the parts that load, not in the root: visitors of the rest do without its script. */
export function QueryScope({ children }: { children: ReactNode }) {
  const [client] = useState(queryClient);
  const viewer = useViewer();

  // What was loaded for one person is not shown to another.
  const seen = useRef(viewer?.sub);
  useEffect(() => {
    if (seen.current === viewer?.sub) return;
    seen.current = viewer?.sub;
    void client.resetQueries();
  }, [viewer?.sub, client]);

  // What failed while the session was over is asked again.
  useEffect(() => onSignedIn(() => void client.invalidateQueries()), [client]);

  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
