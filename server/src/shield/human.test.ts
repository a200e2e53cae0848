import { createHash } from 'node:crypto';
import { checkInApi, shieldApi, WEB_CLIENT_ID } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import {
  eachDatabase,
  openTestApp,
  signedMeta,
  signIn,
  turnableClock,
  type Member,
  type TestApp,
} from '../../testing/index.ts';

const DEVICE = 'a'.repeat(32);
const MINUTE = 60_000;

/** Gets a token like our pages do, and solves the challenge if there is one. */
async function solvedToken(app: TestApp): Promise<string> {
  const { url, captcha_token: unsolved } = await app.visitor.call(shieldApi.captchaInit, {
    body: {
      client_id: WEB_CLIENT_ID,
      device_id: DEVICE,
      action: 'POST:/vip/v1/activity/rewardVip',
      meta: signedMeta(WEB_CLIENT_ID, DEVICE, String(app.clock.now())),
    },
  });
  if (url === undefined) return unsolved!;
  const challenge = new URL(url).searchParams.get('captcha_token')!;
  const { id, rounds, bits } = await app.visitor.call(shieldApi.challenge, { query: { challenge } });
  const answers = Array.from({ length: rounds }, (_, round) => {
    for (let number = 0; ; number++) {
      const digest = createHash('sha256').update(`${id}.${round}.${number}`).digest();
      if (digest.readUInt32BE(0) >>> (32 - bits) === 0) return number;
    }
  });
  return (await app.visitor.call(shieldApi.solve, { body: { challenge, answers } })).captcha_token;
}

const checkIn = (member: Member, headers?: Record<string, string>) =>
  member.call(checkInApi.reward, { body: { type: 'sign_in' } }, headers);
const isChecked = async (member: Member): Promise<boolean> =>
  (await member.call(checkInApi.task, { query: { scene: 'sign_in' } })).data.bot_checked;
const verify = (member: Member, token: string) =>
  member.call(shieldApi.verify, { body: { type: 'sign_in', captcha_token: token } });
const said = { 'x-client-id': WEB_CLIENT_ID, 'x-device-id': DEVICE };

eachDatabase((dialect) => {
  test('rewards ask for nothing, unless something looks suspicious; then a solved challenge counts for ten minutes', async () => {
    const clock = turnableClock();
    await using app = await openTestApp({ dialect, clock });
    const ann = await app.signUp('ann');
    expect(await isChecked(ann)).toBe(true);
    expect(await checkIn(ann)).toEqual({ updated: true });

    for (let n = 0; n < 9; n++)
      await expect(signIn(app.http, { ...ann, password: `wrong ${n}` })).rejects.toThrow();
    const bob = await app.signUp('bob');
    expect(await isChecked(bob)).toBe(false);
    await expect(checkIn(bob)).rejects.toMatchObject({ id: 'captcha_invalid' });
    await expect(verify(bob, 'ck0.made-up')).rejects.toMatchObject({ id: 'captcha_invalid' });
    const token = await solvedToken(app);
    expect(await verify(bob, token)).toEqual({ result: 'ACCEPTED', message: '', redirect_uri: '' });
    expect(await isChecked(bob)).toBe(true);
    expect(await checkIn(bob)).toEqual({ updated: true });
    // A token is for one member.
    const eve = await app.signUp('eve');
    await expect(verify(eve, token)).rejects.toMatchObject({ id: 'captcha_invalid' });
    await expect(checkIn(eve)).rejects.toMatchObject({ id: 'captcha_invalid' });

    clock.advance(11 * MINUTE);
    expect(await isChecked(bob)).toBe(false);
  });

  test('a token can be sent with the call itself, as our pages do, and must be solved', async () => {
    await using app = await openTestApp({ dialect, environment: { CAPTCHA: 'always' } });
    const ann = await app.signUp('ann');
    await expect(checkIn(ann)).rejects.toMatchObject({ id: 'captcha_invalid' });
    const { captcha_token: unsolved } = await app.visitor.call(shieldApi.captchaInit, {
      body: { client_id: 'a-program', device_id: DEVICE, action: 'GET:/drive/v1/files' },
    });
    await expect(
      checkIn(ann, { 'x-client-id': 'a-program', 'x-device-id': DEVICE, 'x-captcha-token': unsolved! }),
    ).rejects.toMatchObject({ id: 'captcha_invalid' });
    const token = await solvedToken(app);
    expect(await checkIn(ann, { ...said, 'x-captcha-token': token })).toEqual({ updated: true });
    expect(await isChecked(ann)).toBe(true);
  });

  test('without captchas nobody is asked', async () => {
    await using app = await openTestApp({ dialect, environment: { CAPTCHA: 'off' } });
    const ann = await app.signUp('ann');
    expect(await isChecked(ann)).toBe(true);
    expect(await checkIn(ann)).toEqual({ updated: true });
  });
});
