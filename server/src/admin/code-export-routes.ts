import { Readable } from 'node:stream';
import { adminMembershipApi, ApiFailure, scopeOf } from '@bowerbird/contract';
import type { FastifyInstance } from 'fastify';
import { attachment, memberOf } from '../foundation/http/index.ts';
import type { Batch, Membership } from '../membership/index.ts';
import { requireOperator } from './operator.ts';

const HEAD = 'code,redeemed,uses,accounts\r\n';

/** Offers the codes of a batch as a CSV file, which is written while they are read. */
export function mountCodeExport(app: FastifyInstance, { batches, isOffering }: Membership): void {
  async function* write(batch: Batch): AsyncGenerator<string, void, undefined> {
    yield HEAD;
    for await (const { text = '', used, accounts } of batches.codes(batch))
      yield `${[text, used, batch.uses, accounts.join(' ')].join(',')}\r\n`;
  }

  app.get(
    '/admin/v1/code-batches/:id/codes.csv',
    { exposeHeadRoute: false },
    async ({ params, caller }, reply) => {
      const viewer = await memberOf(caller, scopeOf(adminMembershipApi.batches));
      requireOperator({ viewer });
      const { id } = params as { id: string };
      const batch = isOffering ? await batches.find(id) : undefined;
      if (!batch) throw new ApiFailure('not_found');
      return reply
        .headers(attachment('text/csv; charset=utf-8', `codes-${batch.id}.csv`))
        .send(Readable.from(write(batch)));
    },
  );
}
