import { randomBytes } from 'node:crypto';
import {
  expect,
  type APIRequestContext,
  type Browser,
  type BrowserContext,
  type Page,
} from '@playwright/test';

export const PASSWORD = 'blue feathers 27';

export interface Person {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly email: string;
}

/** Width and kind of screen that somebody holds. */
export type Screen = 'desktop' | 'tablet' | 'phone';
const SCREENS = {
  desktop: { viewport: { width: 1440, height: 900 } },
  tablet: { viewport: { width: 768, height: 1024 } },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
} as const;

export interface Look {
  readonly screen?: Screen;
  readonly dark?: boolean;
  readonly locale?: string;
}

/** Everything a page complains of; a journey ends with none. */
export const complaints = new WeakMap<Page, string[]>();

export async function visitor(
  browser: Browser,
  { screen = 'desktop', dark = false, locale = 'en-US' }: Look = {},
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({
    ...SCREENS[screen],
    colorScheme: dark ? 'dark' : 'light',
    locale,
    acceptDownloads: true,
  });
  const page = await context.newPage();
  const heard: string[] = [];
  complaints.set(page, heard);
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      heard.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => heard.push(`uncaught: ${error.message}`));
  return { context, page };
}

export function expectNoComplaints(page: Page): void {
  expect(complaints.get(page) ?? []).toEqual([]);
}

/** A new member, signed up without the pages: for journeys that are about something else. */
export async function member(browser: Browser, look: Look = {}): Promise<Person> {
  const { context, page } = await visitor(browser, look);
  const email = `ann-${randomBytes(6).toString('hex')}@example.org`;
  await post(context.request, '/v1/auth/signup', {
    email,
    password: PASSWORD,
    name: 'Ann Bower',
    client_id: 'bowerbird-web',
    session: 'cookie',
  });
  return { context, page, email };
}

/** A call of the API as the page's own scripts make it: with its cookie and from its origin. */
export async function post<Reply = Record<string, unknown>>(
  request: APIRequestContext,
  path: string,
  body: unknown,
): Promise<Reply> {
  const reply = await request.post(path, {
    data: body as object,
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  expect(reply.status(), await reply.text()).toBe(200);
  return (await reply.json()) as Reply;
}

export async function get<Reply = Record<string, unknown>>(
  request: APIRequestContext,
  path: string,
): Promise<Reply> {
  const reply = await request.get(path);
  expect(reply.status(), await reply.text()).toBe(200);
  return (await reply.json()) as Reply;
}
