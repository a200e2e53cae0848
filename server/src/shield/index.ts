import type { Database } from '../foundation/database/index.ts';
import type { Mount } from '../foundation/domain/index.ts';
import type { Gate } from '../foundation/http/index.ts';
import type { Clock, Config, Ids, Keys } from '../foundation/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import { createGate } from './captcha-gate.ts';
import { createSeals } from './captcha-seal.ts';
import { createCaptchas } from './captcha-service.ts';
import { createHumans, type Humans } from './human-service.ts';
import { createRisks } from './risk-service.ts';
import { PLAIN_PASSCODES } from './shield-limits.ts';
import { mountShield } from './shield-routes.ts';
import { createGuard, type Guard } from './shield-service.ts';
import { createShieldStore } from './shield-store.ts';
import type { GuardRules } from './shield.ts';

export type { Humans } from './human-service.ts';
export type { Guard } from './shield-service.ts';
export { networkOf, type Budget, type GuardRules } from './shield.ts';

export interface Shield {
  /** Guard of one kind of attempt; its name is the key prefix of its counters. */
  guard(name: string, rules: GuardRules): Guard;
  readonly humans: Humans;
}

const HOUR_MS = 3600 * 1000;

interface Parts {
  database: Database;
  clock: Clock;
  ids: Ids;
  keys: Keys;
  config: Pick<Config, 'CAPTCHA' | 'SITE_URL' | 'API_ORIGINS' | 'DEBUG_CONSOLE'>;
}

/** Protection against abuse: persistent throttles with growing waits, and captcha tokens. */
export function createShield({ database, clock, ids, keys, config }: Parts) {
  const store = createShieldStore();
  const seals = createSeals(keys);
  const risks = createRisks({ database, store, clock });
  const captchas = createCaptchas({ database, store, seals, risks, config, clock, ids });
  const humans = createHumans({ database, store, seals, risks, config, clock });
  const shield: Shield = {
    humans,
    guard: (name, rules) => createGuard(name, rules, { database, store, clock }),
  };
  const gate: Gate = createGate({
    database,
    store,
    seals,
    risks,
    plain: shield.guard('captcha-plain', PLAIN_PASSCODES),
    humans,
    config,
    clock,
  });
  return {
    shield,
    /** Admits every call over HTTP and from pages. */
    gate,
    mount: ({ api }: Mount) => mountShield(api, { captchas, humans, config }),
    define: (jobs: Jobs) =>
      jobs.define(
        'forget-failures',
        () => database.transaction((tx) => store.removeForgotten(tx, clock.now())),
        { everyMs: HOUR_MS },
      ),
  };
}
