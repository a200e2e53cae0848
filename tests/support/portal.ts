import { once } from 'node:events';
import { createServer } from 'node:http';
import type { FrameLocator, Page } from '@playwright/test';
import { PORTAL_PORT } from '../../playwright.config.ts';

/** Messages that a page of the portal received from the embedded page, with their origins. */
export interface Heard {
  readonly origin: string;
  readonly data: unknown;
}

/** A third-party site that the server allows to embed its pages. */
export interface Portal extends AsyncDisposable {
  readonly origin: string;
  /** Embeds an address in a page of the portal. */
  show(page: Page, address: string): Promise<FrameLocator>;
  heard(page: Page): Promise<Heard[]>;
}

const PAGE = `<!doctype html><title>Portal</title>
<iframe title="Drive" style="width: 100%; height: 90vh"></iframe>
<script>
  const heard = [];
  addEventListener('message', ({ origin, data }) => heard.push({ origin, data }));
  document.querySelector('iframe').src = new URLSearchParams(location.search).get('shows');
</script>`;

export async function startPortal(): Promise<Portal> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(PAGE);
  });
  server.listen(PORTAL_PORT, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${PORTAL_PORT}`;
  return {
    origin,
    async show(page, address) {
      await page.goto(`${origin}/?shows=${encodeURIComponent(address)}`);
      return page.frameLocator('iframe');
    },
    heard: (page) => page.evaluate<Heard[]>('heard'),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
