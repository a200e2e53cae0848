import { Readable } from 'node:stream';
import { archiveApi } from '@bowerbird/contract';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { attachment, type Api } from '../foundation/http/index.ts';
import { timeText, type Clock } from '../foundation/index.ts';
import type { ShareEntry, Visits } from '../share/index.ts';
import type { Archives, OpenArchive } from './archive-service.ts';

interface Parts {
  archives: Archives;
  entry: ShareEntry;
  visits: Visits;
  clock: Clock;
}

export function mountArchives(
  api: Api,
  app: FastifyInstance,
  { archives, entry, visits, clock }: Parts,
): void {
  api.handle(archiveApi.pack, async ({ body, viewer, caller }) => {
    const { path, expiresAt } = await archives.pack(
      viewer.account,
      body.all_in === undefined
        ? { ids: body.ids ?? [] }
        : { allIn: body.all_in, except: body.except_ids ?? [] },
    );
    return { url: `${caller.origin}${path}`, expire: timeText(expiresAt) };
  });

  api.handle(archiveApi.packShare, async ({ body, caller }) => {
    const entered = await entry.enter(caller, { shareId: body.share_id, token: body.pass_code_token });
    const { open, share, roots, status } = entered;
    if (!open || !share) return { share_status: status, url: '', expire: timeText(clock.now()) };
    const { path, expiresAt } = await archives.packShare(share, roots, body.file_ids ?? []);
    visits.count('download', share, caller);
    return { share_status: status, url: `${caller.origin}${path}`, expire: timeText(expiresAt) };
  });

  const openFor = (request: FastifyRequest): Promise<OpenArchive> => {
    const { id, expire, sign } = request.query as Record<string, unknown>;
    const link = { id: String(id), expire: String(expire), sign: String(sign) };
    return archives.open(link, request.caller.address);
  };
  const describe = (reply: FastifyReply, { name }: OpenArchive): FastifyReply =>
    reply.headers({ ...attachment('application/zip', name), 'accept-ranges': 'none' });

  app.get('/archive/', { exposeHeadRoute: false }, async (request, reply) => {
    const archive = await openFor(request);
    return describe(reply, archive).send(
      Readable.from(archive.bytes, { objectMode: false, highWaterMark: 0 }),
    );
  });
  // The framework's HEAD would build the whole archive and discard it.
  app.head('/archive/', async (request, reply) => describe(reply, await openFor(request)).send());
}
