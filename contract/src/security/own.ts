import { SIGNED_IN } from '../scopes.ts';

/** Common to all calls of this folder: only the signed-in owner of the account may make them. */
export const own = { host: 'user', credentials: 'required', scope: SIGNED_IN } as const;
