import { ANY, ApiFailure, type scopeOf } from '@bowerbird/contract';
import type { Caller, Member } from './viewer.ts';

/** Returns the member who makes a call. Throws for visitors, and for tokens without the scope that the call needs. */
export async function memberOf(caller: Caller, scope: ReturnType<typeof scopeOf>): Promise<Member> {
  const { viewer } = caller;
  if (!viewer) throw new ApiFailure((await caller.refusal()) ?? 'unauthenticated');
  if (scope !== ANY && !viewer.scopes.has(scope)) throw new ApiFailure('permission_denied', { scope });
  return viewer;
}
