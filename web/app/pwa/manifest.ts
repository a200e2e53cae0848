import { splitLocale } from '@bowerbird/contract';
import { pageServices } from '#app/api/page-services.ts';
import { loadCatalogue } from '#app/i18n/catalogue.ts';
import { withPrefix } from '#app/i18n/locale.tsx';
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

/** What makes the site an app: its name, its icons, shortcuts, and what others may share to it. In the reader's language. */
export async function loader({ context, url }: Route.LoaderArgs): Promise<Response> {
  const { locale } = context.get(pageServices);
  const t = createT(locale, await loadCatalogue(locale, ['page', 'member', 'site']));
  const { prefix } = splitLocale(url.pathname);
  const shortcut = (name: string, path: string) => ({ name, url: withPrefix(prefix, path) });
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
      shortcut(t('drive.new.links'), '/drive/all?action=create_task'),
      shortcut(t('drive.transfers'), '/drive/transfers'),
      shortcut(t('drive.shares'), '/drive/shares'),
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
