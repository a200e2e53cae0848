import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { eachDatabase, openTestApp, type TestApp } from '../../testing/index.ts';
import { createMembershipStore } from './membership-store.ts';

const store = createMembershipStore();

eachDatabase((dialect) => {
  let app: TestApp;
  let account: string;
  let counter = 0;
  beforeAll(async () => {
    app = await openTestApp({ dialect });
  });
  beforeEach(async () => {
    counter += 1;
    account = (await app.signUp(`ann-${counter}`)).id;
    await app.database.transaction((tx) => app.quota.setLimit(tx, account, 100));
  });
  afterAll(() => app.close());

  const add = (used: number, reserved: number) =>
    app.database.transaction((tx) => store.add(tx, account, used, reserved));
  const held = async () => {
    const { used, reserved } = (await store.find(app.database, account))!;
    return [used, reserved];
  };

  test('reserved bytes count toward the limit, for used and for reserved space', async () => {
    expect(await add(30, 0)).toBe(true);
    expect(await add(0, 60)).toBe(true);
    expect(await add(11, 0)).toBe(false);
    expect(await add(0, 11)).toBe(false);
    expect(await add(6, 5)).toBe(false);
    expect(await held()).toEqual([30, 60]);
    expect(await add(10, 0)).toBe(true);
    expect(await held()).toEqual([40, 60]);
    expect(await add(0, 1)).toBe(false);
  });

  test('reserved bytes can be used within a full limit, and releasing is always possible', async () => {
    await add(40, 60);
    expect(await add(60, -60)).toBe(true);
    expect(await held()).toEqual([100, 0]);
    await app.database.transaction((tx) => app.quota.setLimit(tx, account, 50));
    expect(await add(-20, 0)).toBe(true);
    expect(await held()).toEqual([80, 0]);
    expect(await add(1, 0)).toBe(false);
  });

  test('parallel reservations succeed only as long as they fit', async () => {
    const results = await Promise.all(Array.from({ length: 12 }, () => add(0, 10)));
    expect(results.filter(Boolean)).toHaveLength(10);
    expect(await held()).toEqual([0, 100]);
  });
});
