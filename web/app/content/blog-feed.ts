import { splitLocale } from '@bowerbird/contract';
import { pageServices } from '#app/api/page-services.ts';
import { loadCatalogue } from '#app/i18n/catalogue.ts';
import { withPrefix } from '#app/i18n/locale.tsx';
import { createT } from '#app/i18n/t.ts';
import { escapeText } from '#app/page/escape.ts';
import { PRODUCT_NAME } from '#app/ui/wordmark.tsx';
import type { Route } from './+types/blog-feed';
import { articleAt } from './render.server.ts';

/** Full posts as RSS 2.0. */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const services = context.get(pageServices);
  const { origin, locale } = services;
  const t = createT(locale, await loadCatalogue(locale, ['site']));
  const { prefix } = splitLocale(url.pathname);
  const items = services.library.contents.blog.map(({ slug, date }) => {
    const { title, description, html } = articleAt(services, `blog/${slug}`, url.pathname);
    const link = origin + withPrefix(prefix, `/blog/${slug}`);
    const content = html.replaceAll('href="/', `href="${origin}/`);
    return `<item><title>${escapeText(title)}</title><link>${link}</link><guid>${link}</guid><pubDate>${new Date(date).toUTCString()}</pubDate><description>${escapeText(description)}</description><content:encoded>${escapeText(content)}</content:encoded></item>`;
  });
  const home = origin + withPrefix(prefix, '/blog');
  const feed = `<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:atom="http://www.w3.org/2005/Atom"><channel><title>${escapeText(`${t('blog.title')} · ${PRODUCT_NAME}`)}</title><link>${home}</link><atom:link href="${origin}${url.pathname}" rel="self" type="application/rss+xml"/><description>${escapeText(t('blog.lead'))}</description><language>${locale}</language>${items.join('')}</channel></rss>\n`;
  return new Response(feed, {
    headers: {
      'content-type': 'application/rss+xml; charset=utf-8',
      'cache-control': 'public, max-age=3600',
    },
  });
}
