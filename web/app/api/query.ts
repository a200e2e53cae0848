import { QueryClient } from '@tanstack/react-query';
import { isApiFailure } from '@bowerbird/contract';

let browserClient: QueryClient | undefined;

function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // The client has tried again already.
        retry: false,
        // Without a network a call fails and the page says so, instead of waiting for good; then it comes by itself.
        networkMode: 'always',
        refetchOnReconnect: true,
        // Old rows stay while new ones come.
        refetchOnWindowFocus: (query) =>
          !isApiFailure(query.state.error) || query.state.error.id === 'unreachable',
      },
      mutations: { retry: false },
    },
  });
}

/** One cache for the page's life in the browser, one for each render on the server. */
export function queryClient(): QueryClient {
  if (typeof document === 'undefined') return createQueryClient();
  browserClient ??= createQueryClient();
  return browserClient;
}
