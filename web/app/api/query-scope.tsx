import { useEffect, useRef, useState, type ReactNode } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import { queryClient } from './query.ts';
import { onSignedIn } from './sign-in.ts';
import { useViewer } from './viewer.ts';

/**
 * Provides the query cache to pages. It wraps only the parts that load data, not the root, so that visitors
 * of the rest don't download its script.
 */
export function QueryScope({ children }: { children: ReactNode }) {
  const [client] = useState(queryClient);
  const viewer = useViewer();

  // Data loaded for one account must not be shown to another.
  const seen = useRef(viewer?.sub);
  useEffect(() => {
    if (seen.current === viewer?.sub) return;
    seen.current = viewer?.sub;
    void client.resetQueries();
  }, [viewer?.sub, client]);

  // Queries that failed because the session had ended are repeated.
  useEffect(() => onSignedIn(() => void client.invalidateQueries()), [client]);

  return <QueryClientProvider client={client}>{children}</QueryClientProvider>;
}
