import { preferenceApi, PREFERENCES } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { eachDatabase, openTestApp } from '../../../testing/index.ts';

eachDatabase((dialect) => {
  test('preferences are stored by name, and unset ones have their default', async () => {
    await using app = await openTestApp({ dialect });
    const [ann, bob] = [await app.signUp('ann'), await app.signUp('bob')];
    expect(await ann.call(preferenceApi.read, { query: {} })).toEqual(PREFERENCES);
    await ann.call(preferenceApi.change, {
      body: { displaySensitiveShare: true, autoIdentifyShareCode: false },
    });
    expect(
      await ann.call(preferenceApi.read, { query: { items: 'displaySensitiveShare,TEST_MODE' } }),
    ).toEqual({
      displaySensitiveShare: true,
      TEST_MODE: false,
    });
    expect(
      await ann.call(preferenceApi.read, { query: { items: ['autoIdentifyShareCode', 'unknown'] } }),
    ).toEqual({ autoIdentifyShareCode: false });
    expect(await bob.call(preferenceApi.read, { query: {} })).toEqual(PREFERENCES);
  });

  test('preferences accept “true” and “false” as text, ignore unknown names and reject other values', async () => {
    await using app = await openTestApp({ dialect });
    const ann = await app.signUp('ann');
    const change = (payload: object) => ann.inject({ method: 'POST', url: '/user/v1/settings', payload });
    expect(
      (await change({ TEST_MODE: 'true', operator: true, filterFilesWhenCreate: null })).statusCode,
    ).toBe(200);
    expect(await ann.call(preferenceApi.read, { query: {} })).toEqual({ ...PREFERENCES, TEST_MODE: true });
    expect((await change({ TEST_MODE: 'perhaps' })).statusCode).toBe(400);
  });
});
