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

/** Width and kind of the device's screen. */
export type Screen = 'desktop' | 'tablet' | 'phone';
const SCREENS = {
  desktop: { viewport: { width: 1440, height: 900 } },
  tablet: { viewport: { width: 768, height: 1024 } },
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
} as const;

export interface Look {
  /** True for visitors who haven't answered the cookie question yet; others have answered it before. */
  readonly isNew?: boolean;
  /**
   * True if the installed app's service worker is active: its requests are hidden from tests that intercept requests.
   */
  readonly isInstalled?: boolean;
  readonly screen?: Screen;
  readonly dark?: boolean;
  readonly locale?: string;
  /** Time zone of the browser, by its IANA name. */
  readonly zone?: string;
}

/** A unique network address, so that failures in one journey don't throttle the others. */
const ownNetwork = (): string => ['100', '64', ...randomBytes(2)].join('.');

/** All errors on a page; a journey must end without any. */
export const complaints = new WeakMap<Page, string[]>();

export async function visitor(
  browser: Browser,
  {
    screen = 'desktop',
    dark = false,
    locale = 'en-US',
    zone = 'UTC',
    isNew = false,
    isInstalled = false,
  }: Look = {},
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({
    ...SCREENS[screen],
    extraHTTPHeaders: { 'x-forwarded-for': ownNetwork() },
    colorScheme: dark ? 'dark' : 'light',
    locale,
    timezoneId: zone,
    acceptDownloads: true,
  });
  if (!isInstalled)
    await context.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'));
  if (!isNew) await context.addInitScript(() => localStorage.setItem('allow_analysis', '0'));
  await context.addInitScript(nothingIsPressedTooEarly);
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

/**
 * Clicks are lost until React has hydrated a page: whoever clicks then waits and tries again, as a person would who
 * sees nothing happen.
 */
function nothingIsPressedTooEarly(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('body { pointer-events: none !important }');
  document.adoptedStyleSheets.push(sheet);
  const isWithoutReact = (): boolean =>
    !('__reactRouterContext' in window) && document.readyState !== 'loading';
  const hasCome = (): boolean =>
    document.body !== null && Object.keys(document.body).some((key) => key.startsWith('__reactFiber'));
  const asking = setInterval(() => {
    if (!isWithoutReact() && !hasCome()) return;
    sheet.replaceSync('');
    clearInterval(asking);
  }, 20);
}

export function expectNoComplaints(page: Page): void {
  expect(complaints.get(page) ?? []).toEqual([]);
}

/** Signs a browser out once its page sends no more requests: a late response would bring the session back. */
export async function forgetVisitor(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle');
  await page.context().clearCookies();
}

/** A new member, signed up through the API: for journeys that are about something else. */
export async function member(browser: Browser, look: Look = {}): Promise<Person> {
  const { context, page } = await visitor(browser, look);
  const email = `ann-${randomBytes(6).toString('hex')}@example.org`;
  await enter(context.request, '/v1/auth/signup', { email, password: PASSWORD, name: 'Ann Bower' });
  return { context, page, email };
}

/** The operator of the service under test, signed in through the API. */
export async function operator(browser: Browser, look: Look = {}): Promise<Person> {
  const { context, page } = await visitor(browser, look);
  const email = 'operator@example.org';
  await enter(context.request, '/v1/auth/signin', { username: email, password: PASSWORD });
  return { context, page, email };
}

/**
 * Signs in or up through the API and stores the session in the browser's cookies, like a program that first requests a
 * captcha token.
 */
export async function enter(
  request: APIRequestContext,
  path: '/v1/auth/signin' | '/v1/auth/signup',
  body: Readonly<Record<string, string>>,
): Promise<void> {
  const program = { client_id: 'journeys', device_id: 'journeys' };
  const meta = { username: body['username'], email: body['email'] };
  const init = { ...program, action: `POST:${path}`, meta };
  const { captcha_token } = await post(request, '/v1/shield/captcha/init', init);
  await post(request, path, { ...program, ...body, captcha_token, session: 'cookie' });
}

/** Calls the API like the page's own scripts: with its cookie and from its origin. */
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
