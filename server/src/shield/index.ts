import type { Database } from '../foundation/database/index.ts';
import type { Clock } from '../foundation/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import { createGuard, type Guard } from './shield-service.ts';
import { createShieldStore } from './shield-store.ts';
import type { GuardRules } from './shield.ts';

export type { Guard } from './shield-service.ts';
export { networkOf, type Budget, type GuardRules } from './shield.ts';

export interface Shield {
  /** The guard of one kind of attempt; its name is what its counters are kept under. */
  guard(name: string, rules: GuardRules): Guard;
}

const HOUR_MS = 3600 * 1000;

/** What stands before abuse: persistent throttles with growing waits. */
export function createShield({ database, clock }: { database: Database; clock: Clock }) {
  const store = createShieldStore();
  const shield: Shield = { guard: (name, rules) => createGuard(name, rules, { database, store, clock }) };
  return {
    shield,
    define: (jobs: Jobs) =>
      jobs.define(
        'forget-failures',
        () => database.transaction((tx) => store.removeForgotten(tx, clock.now())),
        { everyMs: HOUR_MS },
      ),
  };
}
