import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { pageServices } from '#app/api/page-services.ts';
import { loadCatalogue } from '#app/i18n/catalogue.ts';
import { createT } from '#app/i18n/t.ts';
import { escapeText } from '#app/page/escape.ts';
import { Mark } from '#app/ui/mark.tsx';
import tokens from '#app/ui/tokens.css?raw';
import { PRODUCT_NAME } from '#app/ui/wordmark.tsx';
import type { Route } from './+types/offline-page';

const STYLE = `
${tokens}
body { margin: 0; min-height: 100dvh; display: grid; place-items: center; background: var(--paper); color: var(--ink); font: 16px/1.5 Inter, system-ui, sans-serif; text-align: center }
main { padding: 64px 24px; max-width: 480px }
h1 { margin: 32px 0 12px; font-size: 28px; line-height: 1.2; font-weight: 650; letter-spacing: -0.02em }
p { margin: 0; color: var(--ink-2) }
a { display: inline-block; margin-top: 32px; padding: 0 20px; line-height: 44px; border-radius: 10px; background: var(--blue); color: var(--on-blue); font-weight: 600; text-decoration: none }
a:focus-visible { outline: 2px solid var(--blue); outline-offset: 2px }`;

/**
 * Page shown without a network connection, in the reader's language. It needs no other file: the service
 * worker caches it and shows it at the address that couldn't be reached, so that its link retries that
 * address.
 */
export async function loader({ context }: Route.LoaderArgs): Promise<Response> {
  const { locale, nonce, cookies } = context.get(pageServices);
  const t = createT(locale, await loadCatalogue(locale, ['page', 'site']));
  const theme = /^(?:light|dark)$/.exec(cookies['pp_theme'] ?? '')?.[0];
  const title = escapeText(t('pwa.offline.title'));
  const html = `<!doctype html>
<html lang="${locale}"${theme ? ` data-theme="${theme}"` : ''}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="robots" content="noindex">
<link rel="icon" href="data:,">
<title>${title} · ${PRODUCT_NAME}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${renderToStaticMarkup(createElement(Mark, { size: 72 }))}
<h1>${title}</h1>
<p>${escapeText(t('pwa.offline.text'))}</p>
<a href="">${escapeText(t('ui.retry'))}</a>
</main>
<script nonce="${nonce}">addEventListener('online', () => location.reload())</script>
</body>
</html>
`;
  return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } });
}
