import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LOCALES } from '@bowerbird/contract';
import { createLog, systemClock } from '../../server/src/foundation/index.ts';
import { createStripeService, type OrderRow } from '../../server/src/membership/index.ts';
import type { Client, Say, Scene } from '../client.ts';
import { CACHE, onPath, run, versionOf } from '../programs.ts';
import { freePort } from '../server.ts';

const MODULE = 'github.com/stripe/stripe-mock@v0.203.0';

/**
 * Stripe's own stand-in for its API. It checks each request against Stripe's description of the API, and replies with
 * an example; it remembers nothing. Here, our server is the client.
 */
export const stripeMock: Client = {
  title: 'our requests to Stripe, checked by stripe-mock',
  async ready(say) {
    const program = await findStripeMock(say);
    if (program === undefined) return { absent: 'there is no stripe-mock, and no Go to build it' };
    // A build from the module doesn't know its version.
    const version = (await versionOf(program, '-version')) || MODULE.split('@v')[1]!;
    return { version, run: (scene) => sendAll(scene, program) };
  },
};

async function findStripeMock(say: Say): Promise<string | undefined> {
  const kept = join(CACHE, 'bin', 'stripe-mock');
  for (const known of [process.env['STRIPE_MOCK'], onPath('stripe-mock'), kept])
    if (known && existsSync(known)) return known;
  if (!onPath('go')) return undefined;
  say(`  building ${MODULE}`);
  await mkdir(CACHE, { recursive: true });
  const env = { GOBIN: join(CACHE, 'bin'), CGO_ENABLED: '0' };
  const built = await run('go', ['install', MODULE], { env, seconds: 1800 });
  return built.code === 0 ? kept : undefined;
}

const ORDER: OrderRow = {
  id: 'an-order',
  account: 'an-account',
  reference: 'CWGZGF9C',
  state: 'open',
  product: 'vip',
  term: 'month',
  kind: 'plan',
  name: { 'en-US': 'VIP', ja: 'VIP会員' },
  plan: 'vip',
  bytes: 0,
  months: 1,
  days: 0,
  length: 31 * 24 * 3600 * 1000,
  currency: 'USD',
  amount: 499,
  renews: false,
  renewal: '',
  invoice: undefined,
  createdAt: 0,
  expiresAt: 0,
  paidAt: undefined,
  endedAt: undefined,
};

async function sendAll(scene: Scene, program: string): Promise<void> {
  const port = await freePort();
  const mock = spawn(program, ['-http-port', String(port)], { stdio: 'ignore' });
  try {
    const api = `http://127.0.0.1:${port}`;
    await untilReady(api);
    const log = createLog('warn');
    const parts = { secretKey: 'sk_test_123', webhookSecret: 'whsec_test', api, clock: systemClock, log };
    const stripe = createStripeService(parts);
    const returnTo = 'https://drive.example.org/drive/payment/orders/an-order';
    for (const [what, order] of [
      ['a payment page', ORDER],
      ['a payment page for a currency without decimals', { ...ORDER, currency: 'JPY', amount: 800 }],
      ['a payment page for a term in days', { ...ORDER, months: 0, days: 30 }],
      ['the payment page of a renewal', { ...ORDER, renews: true }],
      ['the payment page of a renewal each year', { ...ORDER, renews: true, months: 12 }],
    ] as const)
      await scene.step(`opens ${what}`, async () => {
        for (const locale of LOCALES) {
          const { id, url } = await stripe.open(order, { locale, returnTo, key: `${what} ${locale}` });
          assert.match(id, /^cs_/);
          assert.match(url, /^https:/);
        }
      });
    await scene.step('asks about a page', () => stripe.ask('cs_test_1'));
    await scene.step('closes a page', () => stripe.close('cs_test_1'));
    await scene.step('closes the page of an erased account', () => stripe.abandon('cs_test_1'));
    await scene.step('asks about a renewal', async () => {
      const renewal = await stripe.renewal('sub_1');
      assert.equal(renewal?.subscription, 'sub_1');
    });
    await scene.step('asks to which renewal a payment belongs', () => stripe.renewalOf('pi_1'));
    await scene.step('cancels a renewal at the end of the term', () => stripe.setRenewing('sub_1', false));
    await scene.step('resumes a renewal', () => stripe.setRenewing('sub_1', true));
    await scene.step('opens the page about the way of paying', async () => {
      for (const locale of LOCALES)
        assert.match(await stripe.openSettings('sub_1', { locale, returnTo }), /^https:/);
    });
    await scene.step('ends a renewal', () => stripe.endRenewal('sub_1'));
    await scene.step('refunds a payment', () => stripe.refund('pi_1'));
    await scene.pause();
    await scene.step('opens a page after a pause', () =>
      stripe.open(ORDER, { locale: 'en-US', returnTo, key: 'later' }),
    );
  } finally {
    mock.kill();
    await once(mock, 'exit');
  }
}

async function untilReady(api: string): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const reply = await fetch(`${api}/v1/balance`, {
      headers: { authorization: 'Bearer sk_test_123' },
    }).catch(() => undefined);
    if (reply?.ok) return;
    await sleep(100);
  }
  throw new Error('stripe-mock did not start');
}
