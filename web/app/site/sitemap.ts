import { LOCALES, type LibraryContents } from '@bowerbird/contract';
import { pageServices } from '#app/api/page-services.ts';
import { withPrefix } from '#app/i18n/locale.tsx';
import type { Route } from './+types/sitemap';

/** Public pages, without their locale. Drives, shares and forms don't belong in search results. */
export const PUBLIC_PATHS: readonly string[] = [
  '/',
  '/url-checker',
  '/sign-up',
  '/mobile-app',
  '/desktop-app',
  '/browser-extension',
  '/tv',
  '/favorite-links-hub',
  '/contact-us',
  '/check-in',
];

/** Paths of the library's texts. */
export function textPaths({ help, faq, blog, policy, page }: LibraryContents): string[] {
  return [
    ...(help.length > 0 ? ['/help-center'] : []),
    ...(faq.length > 0 ? ['/faq'] : []),
    ...(blog.length > 0 ? ['/blog'] : []),
    ...(policy.length > 0 ? ['/policy/update'] : []),
    ...help.flatMap(({ category, articles }) =>
      articles.map((article) => `/help-center/${category}/${article}`),
    ),
    ...blog.map(({ slug }) => `/blog/${slug}`),
    ...policy.map(({ name }) => `/policy/${name}`),
    ...page.map((name) => `/${name}`),
  ];
}

/** Sitemap of one site: every public page in every language, each with its alternates. */
export function sitemap(origin: string, paths: readonly string[]): string {
  const urls = paths.flatMap((path) => {
    const alternates = [
      ...LOCALES.map((locale) => alternate(locale, origin + withPrefix(locale, path))),
      alternate('x-default', origin + path),
    ].join('');
    return LOCALES.map((locale) => `<url><loc>${origin}${withPrefix(locale, path)}</loc>${alternates}</url>`);
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml">${urls.join('')}</urlset>\n`;
}

const alternate = (language: string, href: string): string =>
  `<xhtml:link rel="alternate" hreflang="${language}" href="${href}"/>`;

export function loader({ context }: Route.LoaderArgs): Response {
  const { origin, library } = context.get(pageServices);
  return new Response(sitemap(origin, [...PUBLIC_PATHS, ...textPaths(library.contents)]), {
    headers: { 'content-type': 'application/xml; charset=utf-8', 'cache-control': 'public, max-age=3600' },
  });
}
