import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, type Browser, type Page } from '@playwright/test';
import { stripeObjects, stripeServer } from '../../server/testing/stripe/stripe-server.ts';
import { expectSound } from '../support/accessibility.ts';
import { choose, entry, open } from '../support/files-page.ts';
import { codeOf, mailingServer, type MailingServer } from '../support/mailing-server.ts';
import { messagesIn } from '../support/messages.ts';
import { complaints, expectNoComplaints, PASSWORD, visitor, type Screen } from '../support/people.ts';
import { turnClock } from '../support/turn-clock.mjs';

const MB = 1024 ** 2;
const DAY_MS = 24 * 3600 * 1000;
const DOCUMENTS = {
  external_products: {
    plans: [{ id: 'vip', name: { 'en-US': 'VIP', ja: 'VIP会員', pt: 'VIP' }, storage: '20 MB' }],
    products: [
      {
        id: 'vip',
        kind: 'plan',
        plan: 'vip',
        terms: [{ id: 'month', months: 1, renews: true, price: { USD: 499, JPY: 800, BRL: 2490 } }],
      },
    ],
    free_days: { days: 7 },
    invitations: { invited_days: 3, inviter_days: 14, most_days: 140 },
    grace_days: 7,
  },
};
/** Days after the sign-up. The plan lasts for 10 days, and its storage for 7 more. */
const AFTER_FREE_DAYS = 18;
/** A month has 31 days. */
const IN_GRACE_PERIOD = AFTER_FREE_DAYS + 33;
const AFTER_GRACE_PERIOD = AFTER_FREE_DAYS + 40;

const folder = mkdtempSync(join(tmpdir(), 'bowerbird-term-'));
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));
test.afterEach(({ browser }) => Promise.all(browser.contexts().map((context) => context.close())));

/** The clock of the server and of browsers that are opened from now on. */
function turnableClock() {
  const file = join(folder, 'clock');
  // In the past, so that a payment, whose time the payment service tells, is made now.
  const start = -AFTER_FREE_DAYS * DAY_MS;
  let turnedBy = start;
  const write = (): void => writeFileSync(file, String(turnedBy));
  write();
  return {
    environment: {
      CLOCK_FILE: file,
      NODE_OPTIONS: `--import ${new URL('../support/turned-clock.mjs', import.meta.url).href}`,
    },
    turnedBy: () => turnedBy,
    turnTo(day: number): void {
      turnedBy = start + day * DAY_MS;
      write();
    },
  };
}
type Clock = ReturnType<typeof turnableClock>;

async function browserOf(browser: Browser, clock: Clock, look: { locale: string; screen: Screen }) {
  const { page, context } = await visitor(browser, look);
  await context.addInitScript({ content: `(${String(turnClock)})(() => ${clock.turnedBy()})` });
  return page;
}

/** The page has no barriers, and fits on a phone and on a desktop. */
async function expectSoundAtAnyWidth(page: Page): Promise<void> {
  const own = page.viewportSize()!;
  for (const width of [1440, 360]) {
    await page.setViewportSize({ ...own, width });
    await expectSound(page);
  }
  await page.setViewportSize(own);
}

/** A text of the product with values, as a pattern. */
const patternOf = (text: string): RegExp =>
  new RegExp(text.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{\w+\}/g, '.+'));

/** A person who reads the pages in a language, on a phone and a computer in turn. */
function reader(server: MailingServer, browser: Browser, clock: Clock, locale: 'en-US' | 'ja' | 'pt') {
  const words = messagesIn(locale);
  const email = `${locale.toLowerCase()}@example.org`;
  const at = (path: string): string => `${server.origin}/${locale}${path}`;
  let visits = 0;
  const newBrowser = (): Promise<Page> =>
    browserOf(browser, clock, { locale, screen: (visits += 1) % 2 === 1 ? 'phone' : 'desktop' });

  return {
    ...{ words, email, at },

    async signUp(invitation: string): Promise<Page> {
      const page = await newBrowser();
      await open(page, invitation.replace('/sign-up', `/${locale}/sign-up`));
      await page.getByLabel(words['account.email']!).fill(email);
      await page.getByRole('button', { name: words['account.signUp.sendCode']! }).click();
      await page.getByLabel(words['account.code']!).fill(codeOf(await server.mailTo(email, /./)));
      await page.getByLabel(words['account.name']!).fill('Robert');
      await page.getByLabel(words['account.password']!, { exact: true }).fill(PASSWORD);
      await page.getByRole('button', { name: words['account.signUp.submit']! }).click();
      await page.waitForURL('**/drive/all');
      return page;
    },

    async signIn(path: string): Promise<Page> {
      const page = await newBrowser();
      await open(page, at(path));
      await page.getByLabel(words['account.email']!, { exact: true }).fill(email);
      await page.getByLabel(words['account.password']!, { exact: true }).fill(PASSWORD);
      await page.keyboard.press('Enter');
      await page.waitForURL(`**${path}`);
      return page;
    },

    async upload(page: Page, name: string, size: number): Promise<void> {
      await page.getByRole('button', { name: words['drive.new.label']!, exact: true }).first().click();
      await choose(page, page.getByRole('menuitem', { name: words['drive.new.files']! }), [
        { name, mimeType: 'application/octet-stream', buffer: Buffer.alloc(size, name) },
      ]);
    },
  };
}
type Reader = ReturnType<typeof reader>;

/** Waits until the server has applied a limit that changed with time. */
async function limitBecomes(page: Page, server: MailingServer, bytes: number): Promise<void> {
  const limit = async (): Promise<number> => {
    const reply = await page.context().request.get(`${server.origin}/drive/v1/about`);
    return Number(((await reply.json()) as { quota: { limit: string } }).quota.limit);
  };
  await expect.poll(limit, { timeout: 180_000 }).toBe(bytes);
}

/** An upload is refused with what was reached and a link to the plans. */
async function expectRefusal(one: Reader, page: Page): Promise<void> {
  await one.upload(page, 'more.bin', MB);
  const unfold = page.getByRole('button', { name: one.words['upload.unfold']! });
  const message = page.getByText(one.words['error.file_space_not_enough.more']!.split('{')[0]!).first();
  await expect(unfold.or(message).first()).toBeVisible();
  if (await unfold.isVisible()) await unfold.click();
  await expect(message).toBeVisible();
  await expect(page.getByRole('link', { name: one.words['more.see']! }).first()).toBeVisible();
  // The browser reports the upload that was refused.
  expect(complaints.get(page)!.splice(0)).toEqual([expect.stringContaining('403')]);
  await expectSoundAtAnyWidth(page);
}

test('invited friends use up their free days, pay for the plan, cancel it, and keep their files after its end', async ({
  browser,
}) => {
  // Limits that change with time are applied by a job that runs each minute.
  test.setTimeout(900_000);
  const clock = turnableClock();
  await using stripe = await stripeServer();
  await using server = await mailingServer({
    documents: DOCUMENTS,
    environment: {
      ...{ MEMBER_STORAGE: '1 MB', TRUSTED_PROXIES: '127.0.0.1', PROCESSES: '1' },
      ...stripe.environment,
      ...clock.environment,
    },
  });
  const hook = `${server.origin}/vip/v1/stripe/webhook`;
  const inviterEmail = 'ann@example.org';
  await server.command('user', 'add', inviterEmail, '--password', PASSWORD, '--name', 'Ann Bower');
  const inviter = await browserOf(browser, clock, { locale: 'en-US', screen: 'desktop' });
  await open(inviter, `${server.origin}/drive/login?continue=%2Freferral`);
  await inviter.getByLabel('Email', { exact: true }).fill(inviterEmail);
  await inviter.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await inviter.keyboard.press('Enter');
  await inviter.waitForURL('**/referral');
  const invitation = await inviter.getByLabel('Link', { exact: true }).inputValue();

  const readers = (['en-US', 'ja', 'pt'] as const).map((locale) => reader(server, browser, clock, locale));
  for (const one of readers) {
    const page = await one.signUp(invitation);
    await one.upload(page, 'feathers.bin', 3 * MB);
    await expect(entry(page, 'feathers.bin')).toBeVisible();
    await limitBecomes(page, server, 20 * MB);
    expectNoComplaints(page);
    await page.context().close();
  }
  await inviter.reload();
  await expect(inviter.getByText('You got 14 days.')).toHaveCount(readers.length);
  await expect(inviter.getByText('3 people', { exact: true })).toBeVisible();
  await expectSoundAtAnyWidth(inviter);
  expectNoComplaints(inviter);

  clock.turnTo(AFTER_FREE_DAYS);
  for (const [number, one] of readers.entries()) {
    const page = await one.signIn('/drive/all');
    await limitBecomes(page, server, MB);
    await page.reload();
    await expectRefusal(one, page);

    await open(page, one.at('/drive/payment'));
    await page.getByRole('button', { name: patternOf(one.words['payment.renewThis']!) }).click();
    await page.waitForURL('**/orders/*');
    await expectSoundAtAnyWidth(page);
    await page.getByRole('button', { name: patternOf(one.words['payment.renewal.pay']!) }).click();
    await page.waitForURL('**/orders/*?checkout=done');
    const session = stripe.sessions[number]!;
    const { body, headers } = stripe.event('checkout.session.completed', stripeObjects.begun(session));
    expect((await fetch(hook, { method: 'POST', body, headers })).status).toBe(200);
    await expect(page.getByText(one.words['payment.state.paid']!, { exact: true }).first()).toBeVisible();
    await open(page, one.at('/drive/all'));
    await limitBecomes(page, server, 20 * MB);
    await one.upload(page, 'larger.bin', 4 * MB);
    await expect(entry(page, 'larger.bin')).toBeVisible();

    await open(page, one.at('/drive/payment'));
    await page.getByRole('link', { name: one.words['payment.renewal.cancel']! }).click();
    await page.getByRole('button', { name: one.words['payment.renewal.cancel']! }).click();
    await expect(page.getByText(one.words['payment.renewal.state.canceled']!, { exact: true })).toBeVisible();
    await expectSoundAtAnyWidth(page);
    expectNoComplaints(page);
    await page.context().close();
  }

  clock.turnTo(IN_GRACE_PERIOD);
  for (const one of readers) {
    const page = await one.signIn('/drive/payment');
    const free = page.getByRole('heading', { level: 2, name: one.words['payment.free']!, exact: true });
    await expect(page.getByRole('listitem').filter({ has: free })).toContainText(
      one.words['payment.current']!,
    );
    await open(page, one.at('/drive/all'));
    await one.upload(page, 'late.bin', MB);
    await expect(entry(page, 'late.bin')).toBeVisible();
    expectNoComplaints(page);
    await page.context().close();
  }

  clock.turnTo(AFTER_GRACE_PERIOD);
  for (const one of readers) {
    const page = await one.signIn('/drive/all');
    await limitBecomes(page, server, MB);
    await page.reload();
    for (const name of ['feathers.bin', 'larger.bin', 'late.bin'])
      await expect(entry(page, name)).toBeVisible();
    await expectRefusal(one, page);
    expectNoComplaints(page);
    await page.context().close();
  }
});
