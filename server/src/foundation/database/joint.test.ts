import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eachDatabase, openTestApp, type TestApp } from '../../../testing/index.ts';
import { isUniqueViolation, type Sql, type Tx } from './index.ts';

eachDatabase((dialect) => {
  let app: TestApp;
  beforeEach(async () => {
    app = await openTestApp({ dialect });
    await app.database.transaction((tx) => sql`create table word (word text primary key)`.execute(tx.on()));
  });
  afterEach(() => app.close());

  const add = (tx: Tx, word: string): Promise<unknown> =>
    sql`insert into word values (${word})`.execute(tx.on());
  const addAlone = (word: string): Promise<unknown> => app.database.transaction((tx) => add(tx, word));
  const words = async (from: Sql): Promise<string[]> =>
    (await sql<{ word: string }>`select word from word order by word`.execute(from.on())).rows.map(
      ({ word }) => word,
    );

  test('transactions that join another see its writes and commit with it', async () => {
    const seen = await app.database.transaction(async (tx) => {
      await add(tx, 'first');
      return tx.join(async () => {
        await addAlone('second');
        return words(app.database);
      });
    });
    expect(seen).toEqual(['first', 'second']);
    expect(await words(app.database)).toEqual(['first', 'second']);
  });

  test('a failing outer transaction rolls back joined work and never runs its effects', async () => {
    const effects: string[] = [];
    const failing = app.database.transaction(async (tx) => {
      await tx.join(() =>
        app.database.transaction(async (step) => {
          await add(step, 'gone');
          step.afterCommit(() => effects.push('told'));
        }),
      );
      throw new Error('after all');
    });
    await expect(failing).rejects.toThrow('after all');
    expect(await words(app.database)).toEqual([]);
    expect(effects).toEqual([]);
  });

  test('failed joined work is rolled back alone, and effects wait for the outer commit in their order', async () => {
    const effects: string[] = [];
    const step = (word: string, fails = false): Promise<void> =>
      app.database.transaction(async (tx) => {
        await add(tx, word);
        tx.afterCommit(() => effects.push(word));
        if (fails) throw new Error(word);
      });
    await app.database.transaction((tx) =>
      tx.join(async () => {
        await step('one');
        await expect(step('two', true)).rejects.toThrow('two');
        expect(isUniqueViolation(await step('one').catch((error: unknown) => error))).toBe(true);
        await step('three');
        expect(effects).toEqual([]);
      }),
    );
    expect(await words(app.database)).toEqual(['one', 'three']);
    expect(effects).toEqual(['one', 'three']);
  });

  test('transactions that join at the same time run one after the other and never nest', async () => {
    await app.database.transaction((tx) =>
      tx.join(() => Promise.all(['a', 'b', 'c', 'd'].map((word) => addAlone(word)))),
    );
    expect(await words(app.database)).toEqual(['a', 'b', 'c', 'd']);
    const nesting = app.database.transaction((tx) =>
      tx.join(() => app.database.transaction(() => addAlone('inner'))),
    );
    await expect(nesting).rejects.toThrow('do not nest');
  });

  test('work that outlives the transaction it started in has transactions of its own', async () => {
    const { promise: committed, resolve: goOn } = Promise.withResolvers<void>();
    let late: Promise<unknown> | undefined;
    await app.database.transaction((tx) =>
      tx.join(async () => {
        late = committed.then(() => addAlone('late'));
      }),
    );
    goOn();
    await late;
    expect(await words(app.database)).toEqual(['late']);
  });

  test('each transaction of accompanied work starts with the companion, and fails with it', async () => {
    let count = 0;
    const work = app.database.accompany(
      async (tx) => {
        count += 1;
        if (count > 2) throw new Error('enough');
        await add(tx, `with ${count}`);
      },
      async () => {
        await addAlone('one');
        await addAlone('two');
        await addAlone('three');
      },
    );
    await expect(work).rejects.toThrow('enough');
    expect(await words(app.database)).toEqual(['one', 'two', 'with 1', 'with 2']);
    await addAlone('alone');
    expect(count).toBe(3);
  });
});
