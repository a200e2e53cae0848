import { accountApi, driveApi, shareApi } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { basic, davClient, eachDatabase, openTestApp, PASSWORD, upload } from '../testing/index.ts';

// Correct credentials don't count as guesses, however many arrive at once; wrong ones do.

const AT_ONCE = 20;
const times = <T>(work: (index: number) => Promise<T>): Promise<PromiseSettledResult<T>[]> =>
  Promise.allSettled(Array.from({ length: AT_ONCE }, (_, index) => work(index)));
const good = (results: readonly PromiseSettledResult<unknown>[]): number =>
  results.filter(({ status }) => status === 'fulfilled').length;

eachDatabase((dialect) => {
  test('the right password is accepted in many parallel WebDAV requests', async () => {
    await using app = await openTestApp({ dialect });
    const { email } = await app.signUp('ann');
    const statuses = async (secretOf: (index: number) => string) =>
      (
        await Promise.all(
          Array.from({ length: AT_ONCE }, (_, index) =>
            davClient(app.http, { authorization: basic(email, secretOf(index)) }).find('/', '0'),
          ),
        )
      ).map(({ status }) => status);
    expect(new Set(await statuses(() => PASSWORD))).toEqual(new Set([207]));
    const guesses = await statuses((index) => `guess ${index}`);
    expect(guesses.filter((status) => status === 429).length).toBeGreaterThan(10);
    expect(guesses).not.toContain(207);
  });

  test('many parallel sign-ins with the right password succeed, and use up no free attempts', async () => {
    await using app = await openTestApp({ dialect });
    const { email } = await app.signUp('ann');
    const enter = (password: string) =>
      app.visitor.call(accountApi.signIn, { body: { username: email, password } });
    for (let round = 0; round < 2; round++) expect(good(await times(() => enter(PASSWORD)))).toBe(AT_ONCE);
    const guesses = await times((index) => enter(`guess ${index}`));
    const held = guesses.filter(
      (result) => result.status === 'rejected' && /locked/.test((result.reason as { id: string }).id),
    );
    expect(good(guesses)).toBe(0);
    expect(held.length).toBeGreaterThan(10);
  });

  test('many parallel requests with the right passcode open a share', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    await upload(app, ann, 'egg.bin', 'an egg');
    const { files } = await ann.call(driveApi.list, { query: {} });
    const { share_id: share, pass_code: passcode } = await ann.call(shareApi.create, {
      body: { file_ids: [files[0]!.id], pass_code_option: 'REQUIRED' },
    });
    const open = (code: string) =>
      app.visitor.call(shareApi.open, { query: { share_id: share, pass_code: code } });
    expect(good(await times(() => open(passcode)))).toBe(AT_ONCE);
    const guesses = await times((index) => open(`x${index}`));
    expect(good(guesses)).toBeLessThan(10);
  });
});
