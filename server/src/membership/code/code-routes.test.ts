import { codeApi, membershipApi } from '@bowerbird/contract';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import {
  eachDatabase,
  openTestApp,
  signIn,
  turnableClock,
  visitorAt,
  type Member,
  type Person,
  type TestApp,
} from '../../../testing/index.ts';
import { openApp } from '../../app.ts';
import type { NewBatch } from './index.ts';

const DAY = 24 * 3600 * 1000;
const MB = 2 ** 20;
const DOCUMENTS = {
  external_products: { plans: [{ id: 'vip', name: { 'en-US': 'VIP', ja: '会員' }, storage: '50 MB' }] },
};
const MONTH_OF_VIP: NewBatch = {
  kind: 'plan',
  plan: 'vip',
  bytes: 0,
  length: 30 * DAY,
  count: 1,
  uses: 1,
  audience: 'everyone',
  note: '',
  startsAt: undefined,
  endsAt: undefined,
};

/** Creates a batch and returns its codes. */
async function codesOf(app: TestApp, batch: Partial<NewBatch> = {}): Promise<string[]> {
  const { id } = await app.batches.create({ ...MONTH_OF_VIP, ...batch });
  const found = await app.batches.find(id);
  const codes: string[] = [];
  for await (const { text } of app.batches.codes(found!)) codes.push(text!);
  return codes;
}

const redeem = (by: Person, code: string, headers?: Record<string, string>) =>
  by.call(codeApi.redeem, { body: { activation_code: code, data: {} } }, headers);

/** Identifier and text of the refusal of a code. */
async function refusalOf(by: Person, code: string): Promise<string> {
  return redeem(by, code).then(
    () => 'accepted',
    ({ id, text }: { id: string; text: string }) => `${id}: ${text.split(/[.:]/, 1)[0]}`,
  );
}

const benefitsOf = ({ benefits, database }: TestApp, { id }: Member) => benefits.list(database, id);
const limitOf = async (app: TestApp, { id }: Member): Promise<number> =>
  (await app.quota.of(app.database, id)).limit / MB;
async function usesLeft({ database }: TestApp): Promise<number> {
  const { rows } = await sql<{ left: number }>`select sum(uses_left) as "left" from activation_code`.execute(
    database.on(),
  );
  return Number(rows[0]!.left);
}

eachDatabase((dialect) => {
  const open = (more: Parameters<typeof openTestApp>[0] = {}) =>
    openTestApp({ dialect, documents: DOCUMENTS, environment: { MEMBER_STORAGE: '10 MB' }, ...more });

  test('a code grants its plan, days of the same plan add up, and storage comes on top', async () => {
    const clock = turnableClock(Date.UTC(2026, 1, 1));
    await using app = await open({ clock });
    const ann = await app.signUp('ann');
    const [first, second] = await codesOf(app, { count: 2 });
    const [space] = await codesOf(app, { kind: 'storage', plan: '', bytes: 5 * MB, length: 7 * DAY });

    expect(await redeem(ann, first!.toLowerCase().replaceAll('-', ' '))).toEqual({
      result: 'ACCEPTED',
      message: '',
      redirect_uri: '',
      add_days: 30,
      data: { kind: 'plan', name: 'VIP', size: '0', expire: '2026-03-03T00:00:00.000+00:00' },
    });
    expect(await redeem(ann, second!, { 'accept-language': 'ja' })).toMatchObject({
      add_days: 30,
      data: { name: '会員', expire: '2026-04-02T00:00:00.000+00:00' },
    });
    expect(await redeem(ann, space!)).toMatchObject({
      add_days: 7,
      data: { kind: 'storage', name: '', size: String(5 * MB), expire: '2026-02-08T00:00:00.000+00:00' },
    });
    expect(await limitOf(app, ann)).toBe(55);
    expect((await ann.call(membershipApi.vip, {})).data).toMatchObject({
      status: 'ok',
      expire: '2026-04-02T00:00:00.000+00:00',
    });
    expect((await benefitsOf(app, ann)).map(({ cause }) => cause)).toEqual(['code', 'code', 'code']);
  });

  test('a refusal says why, and leaves the code as it was', async () => {
    const clock = turnableClock(Date.UTC(2026, 1, 1));
    await using app = await open({ clock });
    let ann = await app.signUp('ann');
    clock.advance(1);
    const [code] = await codesOf(app);
    const [early] = await codesOf(app, { startsAt: clock.now() + 2 * DAY, endsAt: clock.now() + 4 * DAY });
    const [onlyNew] = await codesOf(app, { audience: 'new-accounts' });
    const [onlyFree] = await codesOf(app, { audience: 'free-plan' });
    const [unknownPlan] = await codesOf(app, { plan: 'team' });
    clock.advance(1);
    const bob = await app.signUp('bob');
    const before = await usesLeft(app);

    expect(await refusalOf(ann, '0000-0000-0000-0000')).toBe(
      'invalid_activation_code: This code isn’t valid',
    );
    expect(await refusalOf(ann, early!)).toBe('invalid_activation_code: This code isn’t valid yet');
    expect(await refusalOf(ann, onlyNew!)).toBe('invalid_activation_code: This code is for new members only');
    expect(await refusalOf(ann, unknownPlan!)).toBe('invalid_activation_code: This code has expired');
    expect(await usesLeft(app)).toBe(before);
    expect(await benefitsOf(app, ann)).toEqual([]);

    expect(await refusalOf(ann, code!)).toBe('accepted');
    expect(await refusalOf(ann, code!)).toBe('activation_code_reused: You’ve already redeemed this code');
    expect(await refusalOf(bob, code!)).toBe('activation_code_reused: This code has already been used');
    expect(await refusalOf(ann, onlyFree!)).toBe(
      'invalid_activation_code: This code is for members on the free plan',
    );
    expect(await refusalOf(bob, onlyNew!)).toBe('accepted');
    expect(await usesLeft(app)).toBe(before - 2);

    clock.advance(2 * DAY);
    ann = await signIn(app.http, ann);
    expect(await refusalOf(ann, early!)).toBe('accepted');
    const [late] = await codesOf(app, { endsAt: clock.now() + DAY });
    clock.advance(DAY);
    ann = await signIn(app.http, ann);
    expect(await refusalOf(ann, late!)).toBe('invalid_activation_code: This code has expired');
    expect(await benefitsOf(app, ann)).toHaveLength(2);
  });

  test('once a batch has ended, its codes are refused, and what they granted stays', async () => {
    await using app = await open();
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    const [code] = await codesOf(app, { uses: 5 });
    await redeem(ann, code!);
    const id = (await app.batches.list())[0]!.id;
    expect(await app.batches.end(id)).toBe(true);
    expect(await app.batches.end(id)).toBe(false);
    const refused = await bob.inject({
      method: 'POST',
      url: '/vip/v1/order/activation-code',
      headers: { 'accept-language': 'pt' },
      payload: { activation_code: code, data: {} },
    });
    expect(refused.statusCode).toBe(400);
    expect(refused.json()).toMatchObject({
      error: 'invalid_activation_code',
      error_code: 3,
      error_description: 'Este código venceu. Peça um novo a quem o deu a você.',
    });
    expect(refused.body).toContain('"reason":"activation_code_ended"');
    expect(await limitOf(app, ann)).toBe(50);
    expect((await app.batches.list()).map(({ used }) => used)).toEqual([1]);
  });

  test('codes are offered while there is a batch that hasn’t ended', async () => {
    const clock = turnableClock();
    await using app = await open({ clock });
    const expectOffered = async (codes: boolean): Promise<void> => {
      clock.advance(10_000);
      await expect.poll(() => app.visitor.call(membershipApi.offers, {})).toMatchObject({ codes });
    };
    await expectOffered(false);
    await codesOf(app, { startsAt: clock.now() + DAY, endsAt: clock.now() + 2 * DAY });
    await expectOffered(true);
    clock.advance(2 * DAY);
    await expectOffered(false);
    await codesOf(app);
    await expectOffered(true);
    await app.batches.end((await app.batches.list()).at(-1)!.id);
    await expectOffered(false);
  });

  test('a code is never used more often than allowed, from parallel requests to two processes', async () => {
    await using app = await open();
    const other = await openApp(app.config, { log: app.log });
    try {
      const members = await Promise.all(Array.from({ length: 8 }, (_, n) => app.signUp(`member${n}`)));
      const [code] = await codesOf(app, { uses: 3 });
      const attempts = await Promise.all(
        members.flatMap((member) =>
          [app, app, other, other].map(({ http }) =>
            refusalOf(visitorAt({ http }, '198.51.100.7', member.headers), code!),
          ),
        ),
      );
      expect(attempts.filter((result) => result === 'accepted')).toHaveLength(3);
      expect(new Set(attempts.filter((result) => result !== 'accepted'))).toEqual(
        new Set([
          'activation_code_reused: You’ve already redeemed this code',
          'activation_code_reused: This code has already been used',
        ]),
      );
      const granted = await Promise.all(members.map((member) => benefitsOf(app, member)));
      expect(granted.map(({ length }) => length).toSorted((a, b) => a - b)).toEqual([0, 0, 0, 0, 0, 1, 1, 1]);
      expect(await usesLeft(app)).toBe(0);
    } finally {
      await other.close();
    }
  });

  test('two codes for the free plan, redeemed at the same time, grant once', async () => {
    await using app = await open();
    const ann = await app.signUp('ann');
    const codes = await codesOf(app, { audience: 'free-plan', count: 6 });
    const results = await Promise.all(codes.map((code) => refusalOf(ann, code)));
    expect(results.filter((result) => result === 'accepted')).toHaveLength(1);
    expect(await usesLeft(app)).toBe(5);
  });

  test('who guesses has to wait, even with a right code; right codes don’t count, and others aren’t affected', async () => {
    const clock = turnableClock();
    await using app = await open({ clock });
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    const codes = await codesOf(app, { count: 30 });
    for (const code of codes.slice(0, 25)) await redeem(ann, code);
    expect(await refusalOf(ann, 'not a code')).toMatch(/^invalid_activation_code/);

    const guesses = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        refusalOf(visitorAt(app, `203.0.113.${n}`, ann.headers), `0000-0000-0000-00${10 + n}`),
      ),
    );
    expect(guesses.filter((guess) => guess.startsWith('too_frequent')).length).toBeGreaterThan(15);
    expect(await refusalOf(ann, codes[25]!)).toMatch(/^too_frequent: Too many attempts/);
    expect(await refusalOf(bob, codes[25]!)).toBe('accepted');
    clock.advance(600_000);
    expect(await refusalOf(ann, codes[26]!)).toBe('accepted');
  });

  test('a network that guesses with many accounts has to wait', async () => {
    await using app = await open();
    const members = await Promise.all(Array.from({ length: 8 }, (_, n) => app.signUp(`member${n}`)));
    const guesses: string[] = [];
    for (let n = 0; n < 80; n++)
      guesses.push(
        await refusalOf(
          visitorAt(app, '203.0.113.9', members[n % 8]!.headers),
          `0000-0000-0000-00${String(n).padStart(2, '0')}`,
        ),
      );
    expect(guesses.slice(0, 60).every((guess) => guess.startsWith('invalid_activation_code'))).toBe(true);
    expect(guesses.slice(-10).every((guess) => guess.startsWith('too_frequent'))).toBe(true);
  });

  test('visitors can’t redeem, and the database doesn’t contain the codes', async () => {
    await using app = await open();
    const [code] = await codesOf(app);
    await expect(redeem(app.visitor, code!)).rejects.toMatchObject({ id: 'unauthenticated' });
    const { rows } = await sql`select * from activation_code`.execute(app.database.on());
    const stored = JSON.stringify(rows);
    expect(stored).not.toContain(code);
    expect(stored).not.toContain(code!.replaceAll('-', ''));
  });

  test('a batch is created with all of its codes or not at all, and another secret can’t export it', async () => {
    await using app = await open();
    const codes = await codesOf(app, { count: 2500 });
    expect(new Set(codes).size).toBe(2500);
    const foreign = await openApp(
      { ...app.config, SECRET: 'another secret of this installation' },
      { log: app.log },
    );
    try {
      const [batch] = await foreign.batches.list();
      const { value } = (await foreign.batches.codes(batch!).next()) as { value: { text?: string } };
      expect(value.text).toBeUndefined();
    } finally {
      await foreign.close();
    }
    await expect(codesOf(app, { count: 2, uses: -1 })).rejects.toThrow();
    expect(await app.batches.list()).toHaveLength(1);
  });
});
