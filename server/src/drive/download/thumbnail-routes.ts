import type { FastifyInstance } from 'fastify';
import { CONTENT_POLICY } from './inline-type.ts';
import type { Downloads } from './download-service.ts';
import type { SignedLinks } from './link-service.ts';
import type { Thumbnails } from './thumbnail-service.ts';

/** Thumbnails of files. A link stays the same for hours and so does its content, so browsers request it once. */
export function mountThumbnails(
  app: FastifyInstance,
  { downloads, links, thumbnails }: { downloads: Downloads; links: SignedLinks; thumbnails: Thumbnails },
): void {
  app.get('/thumbnail/', async (request, reply) => {
    const link = links.open('thumbnail', request.query as Record<string, unknown>);
    const file = await downloads.follow(link);
    const etag = `"${file.blob.hash}-${link.size}"`;
    reply.headers({
      etag,
      'cache-control': `private, max-age=${link.secondsLeft}, immutable`,
      'content-security-policy': CONTENT_POLICY,
      'cross-origin-resource-policy': 'same-site',
    });
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    const { stream, length } = await thumbnails.open(file, link.size).catch((error: unknown) => {
      reply.header('cache-control', 'no-store');
      throw error;
    });
    return reply.type('image/webp').header('content-length', length).send(stream);
  });
}
