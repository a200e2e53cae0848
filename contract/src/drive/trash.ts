import Type from 'typebox';
import { endpoint } from '../endpoint.ts';

export const trashApi = {
  trashRule: endpoint({
    name: 'drive.trashRule',
    method: 'GET',
    path: '/drive/v1/trash:rule',
    host: 'drive',
    credentials: 'optional',
    summary: 'Get how long the trash keeps items',
    description:
      'Returns the days for which the member’s deleted items stay in the trash; for visitors, those of a member without a plan. If a plan ends, items that were deleted before keep its days.',
    reply: Type.Object({ days: Type.Integer() }),
  }),
};
