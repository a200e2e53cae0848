import { expect, test } from '@playwright/test';
import type { PageServices } from '@bowerbird/contract';

interface Build {
  readonly entry: {
    readonly module: {
      createHandler(
        build: Build,
        mode: string,
      ): (request: Request, services: PageServices) => Promise<Response>;
    };
  };
}

const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

test('a page that failed to load tells a crawler to retry, and a reader what to do', async () => {
  const address: string = new URL('../web/build/server/index.js', import.meta.url).href;
  const build = (await import(address)) as Build;
  const handle = build.entry.module.createHandler(build, 'production');
  const heard: unknown[] = [];
  const services = {
    call: () => Promise.reject(new Error('the database is gone')),
    viewer: null,
    locale: 'en-US',
    nonce: 'n',
    origin: 'https://drive.example',
    origins: [],
    framedBy: [],
    isCounting: false,
    cookies: {},
    setCookie: () => undefined,
    library: {
      contents: { help: [], faq: [], blog: [], policy: [], page: [] },
      read: () => undefined,
    },
    operator: { name: '', contact: '' },
    logError: (error) => void heard.push(error),
  } satisfies PageServices;
  const ask = (agent: string) =>
    handle(new Request('https://drive.example/', { headers: { 'user-agent': agent } }), services);

  const told = await ask(GOOGLEBOT);
  expect([told.status, await told.text()]).toEqual([503, '']);
  expect(Number(told.headers.get('retry-after'))).toBeGreaterThan(0);

  const shown = await ask('Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0');
  expect(shown.status).toBe(500);
  const page = await shown.text();
  expect(page).toContain('Something went wrong on our end');
  expect(page).not.toContain('database');
  expect(heard.length).toBeGreaterThan(0);
});
