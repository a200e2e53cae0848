import { afterAll } from 'vitest';
import type { Dialect } from '../src/foundation/database/index.ts';
import { LOOPBACK_ALLOWED } from './origin.ts';
import { openTestApp, type TestApp } from './test-app.ts';

/**
 * Returns one running installation for all tests of a file that need nothing special, because starting one
 * for each would take longer than the tests. Each test has its own members, whatever their names are.
 */
export function sharedApps(): (dialect: Dialect) => Promise<TestApp> {
  const apps = new Map<Dialect, Promise<TestApp>>();
  let members = 0;
  afterAll(async () => {
    for (const app of apps.values()) await (await app).close();
  });

  async function start(dialect: Dialect): Promise<TestApp> {
    const app = await openTestApp({ dialect, environment: LOOPBACK_ALLOWED });
    app.start();
    return app;
  }

  return async (dialect) => {
    const opening = apps.get(dialect) ?? start(dialect);
    apps.set(dialect, opening);
    const app = await opening;
    return {
      ...app,
      signUp: (name) => app.signUp(`${name}-${(members += 1)}`),
      close: async () => {},
      [Symbol.asyncDispose]: async () => {},
    };
  };
}
