import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Decimal, FolderId, Id, oneOf, Time } from '../wire.ts';

/**
 * Handling of names that exist in the destination: add a number (default), refuse, move the existing item to the
 * trash, or skip.
 */
export const ConflictMode = oneOf(['rename', 'fail', 'replace', 'skip'] as const);

export const conflictApi = {
  conflicts: endpoint({
    name: 'drive.conflicts',
    method: 'POST',
    path: '/drive/v1/files:conflicts',
    host: 'drive',
    credentials: 'required',
    summary: 'Check for name conflicts',
    description: 'Returns which of the given names are taken in a folder. Call it before an upload starts.',
    body: Type.Object({
      parent_id: Type.Optional(FolderId),
      names: Type.Array(Type.String(), { maxItems: 1000 }),
    }),
    reply: Type.Object({
      taken: Type.Array(
        Type.Object({
          name: Type.String(),
          id: Id,
          kind: Type.String(),
          size: Decimal,
          modified_time: Time,
        }),
      ),
    }),
    errors: ['file_not_found'],
  }),
};
