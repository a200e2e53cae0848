import { pageServices } from '#app/api/page-services.ts';
import { loadCatalogue } from '#app/i18n/catalogue.ts';
import { createT } from '#app/i18n/t.ts';
import { PRODUCT_NAME } from '#app/ui/wordmark.tsx';
import { SHARE_TARGET } from './places.ts';
import type { Route } from './+types/manifest';

const PAPER = '#fbfaf9';

const icon = (size: number, purpose: 'any' | 'maskable') => ({
  src: `/icon-${purpose === 'maskable' ? 'maskable-' : ''}${size}.png`,
  type: 'image/png',
  sizes: `${size}x${size}`,
  purpose,
});

/**
 * Web app manifest in the reader's language: name, icons, shortcuts, and the content that other apps may
 * share to it.
 */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const { locale } = context.get(pageServices);
  const t = createT(locale, await loadCatalogue(locale, ['page', 'member', 'site']));
  const manifest = {
    id: '/',
    name: PRODUCT_NAME,
    short_name: PRODUCT_NAME,
    description: t('home.lead'),
    lang: locale,
    start_url: '/drive/all',
    scope: '/',
    display: 'standalone',
    background_color: PAPER,
    theme_color: PAPER,
    icons: [
      { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any' },
      ...[192, 512].flatMap((size) => [icon(size, 'any'), icon(size, 'maskable')]),
    ],
    shortcuts: [
      { name: t('drive.new.links'), url: '/drive/all?action=create_task' },
      { name: t('drive.transfers'), url: '/drive/transfers' },
      { name: t('drive.shares'), url: '/drive/shares' },
    ],
    share_target: {
      action: SHARE_TARGET,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { title: 'title', text: 'text', url: 'url', files: [{ name: 'files', accept: ['*/*'] }] },
    },
  };
  return new Response(JSON.stringify(manifest), {
    headers: { 'content-type': 'application/manifest+json', 'cache-control': 'public, max-age=3600' },
  });
}
