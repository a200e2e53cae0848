import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { open, own } from './fields.ts';

/** Codes with which our pages continue as the member of another program of ours. */
export const handoverApi = {
  handOver: endpoint({
    ...own,
    name: 'oauth.handOver',
    method: 'POST',
    path: '/v1/auth/handover',
    secretReply: true,
    summary: 'Create a handover code',
    description:
      "With the code, the site's own pages continue as this member. It works once, within a minute. For the site's own apps and extensions.",
    reply: Type.Object({ code: Type.String(), expires_in: Type.Integer() }),
  }),
  inspectCode: endpoint({
    ...open,
    name: 'oauth.inspectCode',
    method: 'POST',
    path: '/v1/auth/handover:inspect',
    summary: 'Inspect a handover code',
    description: 'Returns whose code it is, before it is used.',
    body: Type.Object({ code: Type.String({ maxLength: 256 }) }),
    reply: Type.Object({ sub: Type.String(), name: Type.String(), email: Type.String() }),
    errors: ['invalid_grant', 'too_frequent'],
  }),
};
