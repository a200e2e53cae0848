import { QueryClient } from '@tanstack/react-query';
import { isApiFailure } from '@bowerbird/contract';

let browserClient: QueryClient | undefined;

function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // The client has already retried.
        retry: false,
        // Offline, a call fails and the page reports it instead of waiting indefinitely; the data is fetched
        // again on reconnecting.
        networkMode: 'always',
        refetchOnReconnect: true,
        // Existing rows stay visible while new ones load.
        refetchOnWindowFocus: (query) =>
          !isApiFailure(query.state.error) || query.state.error.id === 'unreachable',
      },
      mutations: { retry: false },
    },
  });
}

/** Returns one cache for the lifetime of the page in the browser, and one per render on the server. */
export function queryClient(): QueryClient {
  if (typeof document === 'undefined') return createQueryClient();
  browserClient ??= createQueryClient();
  return browserClient;
}
