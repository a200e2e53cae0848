import Type from 'typebox';
import { SIGNED_IN } from '../scopes.ts';

/** Optional text with a maximum length. */
export const Text = (most: number) => Type.Optional(Type.String({ maxLength: most }));

/** Common to calls that everybody may make. */
export const open = { host: 'user', credentials: 'none' } as const;
/** Common to calls that only a signed-in member may make. */
export const own = { host: 'user', credentials: 'required', scope: SIGNED_IN } as const;
/** A document that is defined by an RFC. */
export const Document = Type.Record(Type.String(), Type.Unknown());
