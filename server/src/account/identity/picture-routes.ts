import type { FastifyInstance } from 'fastify';
import type { MemberPictures } from './picture-service.ts';
import { PICTURE_PATH } from './picture-service.ts';

const MAX_AGE_SECONDS = 3600;

/** Serves members' pictures to anyone who knows their unguessable address. */
export function mountPictures(app: FastifyInstance, pictures: MemberPictures): void {
  app.get<{ Params: { name: string } }>(`${PICTURE_PATH}:name`, async (request, reply) => {
    const { name } = request.params;
    const { stream, length } = await pictures.open(name);
    const etag = `"${name}"`;
    reply.headers({
      etag,
      'cache-control': `private, max-age=${MAX_AGE_SECONDS}`,
      'content-security-policy': "sandbox; default-src 'none'",
      'cross-origin-resource-policy': 'same-site',
    });
    if (request.headers['if-none-match'] === etag) {
      stream.destroy();
      return reply.code(304).send();
    }
    return reply.type('image/webp').header('content-length', length).send(stream);
  });
}
