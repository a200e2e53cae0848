import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { captchaSign, isApiFailure, type ApiCall } from '@bowerbird/contract';
import { createCaptchaTokens, readKept, type CaptchaOptions } from './captcha.ts';
import type { CaptchaCall } from './http-client.ts';

const KEY = 'captcha_bowerbird-web';
const SIGN_IN: CaptchaCall = { action: 'POST:/v1/auth/signin', names: { username: 'ann' } };
const READ: CaptchaCall = { action: 'GET:/drive/v1/share', names: {} };

type Body = { action: string; captcha_token: string; meta: Record<string, string> };

function tokens(options: Partial<CaptchaOptions> = {}, url?: string) {
  const kept = new Map<string, string>();
  const asked: Body[] = [];
  let now = 1_800_000_000_000;
  const call = (async (_spec: unknown, { body }: { body: Body }) => {
    asked.push(body);
    await Promise.resolve();
    return url === undefined ? { captcha_token: `token-${asked.length}`, expires_in: 300 } : { url };
  }) as unknown as ApiCall;
  const captcha = createCaptchaTokens({
    call,
    deviceId: 'd'.repeat(32),
    userId: () => 'VANN',
    now: () => now,
    storage: {
      getItem: (key) => kept.get(key) ?? null,
      setItem: (key, value) => void kept.set(key, value),
      removeItem: (key) => void kept.delete(key),
    },
    solve: async () => undefined,
    ...options,
  });
  return { captcha, asked, kept, pass: (seconds: number) => void (now += seconds * 1000) };
}

test('a token is requested with a signature, and used until half a minute before it expires', async () => {
  const { captcha, asked, kept, pass } = tokens();
  expect(await captcha.get(READ)).toBe('token-1');
  const { meta, action } = asked[0]!;
  const sign = captchaSign(
    {
      clientId: 'bowerbird-web',
      clientVersion: meta['client_version']!,
      packageName: meta['package_name']!,
      deviceId: 'd'.repeat(32),
      timestamp: meta['timestamp']!,
    },
    (text) => createHash('md5').update(text).digest('hex'),
  );
  expect([action, meta['captcha_sign'], meta['user_id']]).toEqual(['GET:/drive/v1/share', sign, 'VANN']);
  pass(269);
  expect(await captcha.get(READ)).toBe('token-1');
  pass(2);
  expect(await captcha.get(READ)).toBe('token-2');
  expect(asked[1]!.captcha_token).toBe('token-1');
  expect(JSON.parse(kept.get(KEY)!)).toMatchObject({ captcha_token: 'token-2', expires_in: 300 });
});

test('a sign-in needs a token for its own name, and reading accepts any token', async () => {
  const { captcha, asked } = tokens();
  await captcha.get(READ);
  expect(await captcha.get(SIGN_IN)).toBe('token-2');
  expect(asked[1]!.meta['username']).toBe('ann');
  expect(await captcha.get({ ...SIGN_IN, names: { username: 'bob' } })).toBe('token-3');
  expect(await captcha.get(READ)).toBe('token-3');
});

test('parallel calls request one token, and a rejected token is renewed once for all of them', async () => {
  const { captcha, asked } = tokens();
  expect(await Promise.all([captcha.get(READ), captcha.get(READ), captcha.get(READ)])).toEqual([
    'token-1',
    'token-1',
    'token-1',
  ]);
  expect(await Promise.all([captcha.renew(READ, 'token-1'), captcha.renew(READ, 'token-1')])).toEqual([
    'token-2',
    'token-2',
  ]);
  expect(await captcha.renew(READ, 'token-1')).toBe('token-2');
  expect(asked.map(({ captcha_token }) => captcha_token)).toEqual(['', '']);
});

test('a single-use token is not used again', async () => {
  const { captcha } = tokens();
  captcha.spent(await captcha.get(SIGN_IN));
  expect(await captcha.get(SIGN_IN)).toBe('token-2');
});

describe('a challenge', () => {
  test('returns the token that its page sends', async () => {
    const { captcha, kept } = tokens(
      { solve: async (url) => ({ captcha_token: `of ${url}`, expires_in: 300 }) },
      '/captcha/challenge',
    );
    expect(await captcha.get(READ)).toBe('of /captcha/challenge');
    expect(kept.size).toBe(1);
  });
  test('that is closed without a token cancels the call', async () => {
    const { captcha } = tokens({}, '/captcha/challenge');
    const error: unknown = await captcha.get(READ).catch((reason: unknown) => reason);
    expect(isApiFailure(error) && error.code).toBe(1);
  });
});

test('a browser without storage keeps a token until the page is closed', async () => {
  const refuse = (): never => {
    throw new Error('SecurityError');
  };
  const { captcha, asked } = tokens({
    storage: { getItem: refuse, setItem: refuse, removeItem: refuse },
  });
  await captcha.get(READ);
  await captcha.get(READ);
  expect(asked).toHaveLength(1);
});

test.each([null, '', '{', '[]', '{"action":1,"captcha_token":"x"}', '{"action":"x"}', '"x"', 'null'])(
  'a stored record of %j is ignored',
  (text) => expect(readKept(text)).toBeUndefined(),
);

test('a stored record of another program with an action and a token is read, as expired', () => {
  expect(readKept('{"action":"GET:/","captcha_token":"x"}')).toMatchObject({ expires_at: 0 });
});
