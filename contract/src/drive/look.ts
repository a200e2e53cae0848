import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { LIMITS } from '../limits.ts';
import { Id, oneOf } from '../wire.ts';
import { COLORS } from './annotation.ts';

const Look = Type.Object({ color: oneOf(['', ...COLORS]), emoji: Type.String() });

/** Colors and icons of a member's own folders. Nobody else sees them. */
export const lookApi = {
  look: endpoint({
    name: 'drive.look',
    method: 'POST',
    path: '/drive/v1/files:look',
    host: 'drive',
    credentials: 'required',
    summary: 'Change the color and icon of folders',
    description:
      'Gives folders a color and an emoji as their icon, `""` for neither. What is absent stays. Returns what they had before; files among the IDs are skipped.',
    body: Type.Object({
      ids: Type.Array(Id, { minItems: 1, maxItems: LIMITS.batch }),
      color: Type.Optional(oneOf(['', ...COLORS])),
      emoji: Type.Optional(Type.String({ maxLength: 40, description: 'One emoji, or `""`.' })),
    }),
    reply: Type.Object({ before: Type.Array(Type.Object({ id: Id, ...Look.properties })) }),
    errors: ['file_not_found', 'invalid_argument'],
  }),
};
