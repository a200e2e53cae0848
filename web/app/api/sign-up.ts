import { useRouteLoaderData } from 'react-router';

/** Whether somebody new can open a drive here, be it that an operator has to let them in. */
export function useIsSignUpOpen(): boolean {
  return useRouteLoaderData<{ isSignUpOpen: boolean }>('root')?.isSignUpOpen ?? false;
}
