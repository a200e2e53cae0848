import { useRouteLoaderData } from 'react-router';
import type { Profile } from '@bowerbird/contract';

/** Who looks at the page, null for a visitor. */
export function useViewer(): Profile | null {
  return useRouteLoaderData<{ viewer: Profile | null }>('root')?.viewer ?? null;
}
