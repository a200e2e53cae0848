import { expect, test } from '@playwright/test';
import { ask, isPage } from './support/answers.ts';
import { messagesIn } from './support/messages.ts';
import { visitor } from './support/people.ts';
import { PLACES } from './support/routes.ts';

// Which addresses are pages and which aren't, for every line of the table of routes.

test.describe.configure({ mode: 'parallel' });
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

const PHONE =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';

test.describe('a first path segment that is not a language', () => {
  for (const device of ['desktop', 'phone'] as const)
    test(`makes every page a 404 on a ${device}`, async ({ request }) => {
      const tip = messagesIn('en-US')['not-found-page-tip']!;
      const faults: string[] = [];
      for (const { path } of PLACES)
        for (const segment of ['blabla', 'xx-XX', 'EN-us', 'en']) {
          const address = `/${segment}${path}`;
          const headers: Record<string, string> = device === 'phone' ? { 'user-agent': PHONE } : {};
          const reply = await ask(request, address, headers);
          const text = await reply.text();
          if (reply.status() !== 404) faults.push(`${address}: ${reply.status()}`);
          else if (!text.includes(`Page Not Found: ${address}`)) faults.push(`${address}: no text`);
          else if (isPage(reply) && !text.includes(tip)) faults.push(`${address}: no tip`);
          const data = await ask(request, `${address}.data`, headers);
          if (data.status() !== 404) faults.push(`${address}.data: ${data.status()}`);
        }
      expect(faults).toEqual([]);
    });

  test('makes a page a 404 in the browser without asking the server', async ({ browser }) => {
    const { page } = await visitor(browser);
    await page.goto('/faq', { waitUntil: 'networkidle' });
    const asked: string[] = [];
    page.on('request', (one) => void asked.push(new URL(one.url()).pathname));
    await page.evaluate(() => {
      const { __reactRouterDataRouter: router } = window as unknown as {
        __reactRouterDataRouter: { navigate(to: string): Promise<void> };
      };
      return router.navigate('/xx-XX/faq');
    });
    await expect(page.getByText('Page Not Found: /xx-XX/faq')).toBeVisible();
    await expect(page.getByText(messagesIn('en-US')['not-found-page-tip']!)).toBeVisible();
    expect(asked.filter((path) => path.endsWith('.data'))).toEqual([]);
  });

  test('shows a page only where a person would look for one', async ({ request }) => {
    for (const path of ['/drive', '/drive/feedback', '/sign-out'])
      expect(isPage(await ask(request, `/blabla${path}`)), path).toBe(true);
  });
});

test('programs never get a page: the API’s paths return a JSON error, and WebDAV methods an empty 405', async ({
  request,
}) => {
  for (const path of ['/v1/nothing', '/drive/v1/nothing', '/vip/v1/nothing', '/config/v1/nothing']) {
    const answer = await request.get(path, { headers: { accept: 'text/html' } });
    expect([answer.status(), answer.headers()['content-type']], path).toEqual([
      404,
      'application/json; charset=utf-8',
    ]);
  }
  for (const path of ['/', '/faq', '/no-such']) {
    const answer = await request.fetch(path, { method: 'PROPFIND' });
    expect([answer.status(), answer.headers()['content-length']], path).toEqual([405, '0']);
  }
});

test('an unknown page stays a 404 with any action in its address', async ({ request }) => {
  for (const path of ['/xx-XX/faq', '/no-such', '/ru/no-such', '/xx-XX/drive/all']) {
    const answer = await request.get(`${path}?action=show_task&task_id=T1`, { maxRedirects: 0 });
    expect(answer.status(), path).toBe(404);
  }
});

test('addresses are case-sensitive', async ({ request }) => {
  const faults: string[] = [];
  for (const { path, hasLocale } of PLACES) {
    const [first = ''] = path.split('/').slice(1);
    if (first === '' || first.toUpperCase() === first) continue;
    const shouted = path.replace(first, first.toUpperCase());
    for (const address of hasLocale ? [shouted, `/ru${shouted}`] : [shouted])
      if ((await ask(request, address)).status() !== 404) faults.push(address);
  }
  expect(faults).toEqual([]);
  expect((await ask(request, '/policy/copyright-Infringement')).status()).toBe(200);
  expect((await ask(request, '/policy/copyright-infringement')).status()).toBe(404);
});

test('an address with a trailing slash redirects to the one without it, for every page', async ({
  request,
  baseURL,
}) => {
  const faults: string[] = [];
  for (const { path, hasLocale } of PLACES)
    for (const prefix of hasLocale ? ['', '/zh-TW'] : ['']) {
      const address = prefix + path;
      if (address === '') continue;
      const reply = await ask(request, `${address}/?a=1&b=2`);
      const found = `${reply.status()} ${reply.headers()['location']}`;
      if (found !== `301 ${address}?a=1&b=2`) faults.push(`${address}/: ${found}`);
    }
  expect(faults).toEqual([]);
  for (const path of ['//evil.example/', '//evil.example', '/ru//evil.example/'])
    expect((await ask(request, baseURL + path)).headers()['location']).toMatch(/^(?:\/ru)?\/evil\.example$/);
});
