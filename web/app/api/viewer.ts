import { useRouteLoaderData } from 'react-router';
import type { Profile } from '@bowerbird/contract';

/** Returns the signed-in member, or null for a visitor. */
export function useViewer(): Profile | null {
  return useRouteLoaderData<{ viewer: Profile | null }>('root')?.viewer ?? null;
}
