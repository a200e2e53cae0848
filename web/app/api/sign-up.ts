import { useRouteLoaderData } from 'react-router';

/** Returns true if new users can sign up here, even if an administrator has to approve them. */
export function useIsSignUpOpen(): boolean {
  return useRouteLoaderData<{ isSignUpOpen: boolean }>('root')?.isSignUpOpen ?? false;
}
