import { takeoutApi, type Takeout } from '@bowerbird/contract';
import type { FastifyInstance } from 'fastify';
import type { PasswordChecks } from '../account/index.ts';
import { attachment, type Api } from '../foundation/http/index.ts';
import { maybeTimeText, timeText } from '../foundation/index.ts';
import type { Takeouts } from './takeout-service.ts';
import type { TakeoutRow } from './takeout.ts';

interface Parts {
  takeouts: Takeouts;
  checks: PasswordChecks;
}

const takeoutView = ({ id, state, progress, size, createdAt, expiresAt }: TakeoutRow): Takeout => ({
  id,
  state,
  progress,
  size: String(size ?? 0),
  created_at: timeText(createdAt),
  expires_at: maybeTimeText(expiresAt),
});

export function mountTakeouts(api: Api, app: FastifyInstance, { takeouts, checks }: Parts): void {
  api.handle(takeoutApi.list, async ({ viewer }) => ({
    takeouts: (await takeouts.list(viewer.account)).map(takeoutView),
  }));

  api.handle(takeoutApi.begin, async ({ viewer, caller }) =>
    takeoutView(await takeouts.begin(viewer.account, caller.locale)),
  );

  api.handle(takeoutApi.open, async ({ params, body, viewer, caller }) => {
    await checks.confirm(viewer.account, body.password, caller.address);
    return { url: `${caller.origin}${await takeouts.link(viewer.account, params.id)}` };
  });

  api.handle(takeoutApi.remove, async ({ params, viewer }) => {
    await takeouts.remove(viewer.account, params.id);
    return {};
  });

  // The link alone is not enough: a link found in a browser history comes without its owner's session.
  app.get('/takeout/', { exposeHeadRoute: false }, async (request, reply) => {
    const { id, expire, sign } = request.query as Record<string, unknown>;
    const asked = { id: String(id), expire: String(expire), sign: String(sign) };
    const { row, blob } = await takeouts.open(asked, request.caller.viewer?.account);
    const day = timeText(row.createdAt).slice(0, 10);
    return reply
      .headers(attachment('application/zip', `bowerbird-data-${day}.zip`))
      .header('content-length', String(blob.size))
      .send(blob.stream);
  });
}
