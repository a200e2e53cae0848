import { pageServices } from '#app/api/page-services.ts';
import type { Route } from './+types/robots';

/**
 * Robots.txt that allows shares, since they send `noindex` themselves, which a crawler sees only if it may
 * request them; drives require a sign-in anyway.
 */
export function loader({ context }: Route.LoaderArgs): Response {
  const { origin } = context.get(pageServices);
  const lines = [
    'User-agent: *',
    'Disallow: /drive/',
    'Disallow: /*/drive/',
    'Disallow: /setup/',
    '',
    `Sitemap: ${origin}/sitemap.xml`,
    '',
  ];
  return new Response(lines.join('\n'), {
    headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
}
