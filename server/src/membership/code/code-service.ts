import { ApiFailure } from '@bowerbird/contract';
import type { Accounts } from '../../account/index.ts';
import type { Database, Sql } from '../../foundation/database/index.ts';
import { createFlights, type Clock } from '../../foundation/index.ts';
import type { Guard } from '../../shield/index.ts';
import type { Benefits, HeldPlan, Plan, Plans } from '../plan/index.ts';
import { codeStore as store } from './code-store.ts';
import { digestOf, readCode, referenceOf, type Batch, type Code } from './code.ts';

/** Plan or storage that a member got for a code. */
export interface Redeemed extends Pick<Batch, 'kind' | 'bytes' | 'length'> {
  /** Undefined for storage. */
  readonly plan: Plan | undefined;
  /** When the plan or the storage ends, with everything that the member had before; undefined if it does not end. */
  readonly endsAt: number | undefined;
}

/** Redeems activation codes. */
export interface Codes {
  /**
   * Finds the code that a member typed. Throws `invalid_activation_code`, and `too_frequent` for a member or a network
   * that guesses.
   */
  find(typed: string, by: { readonly account: string; readonly address: string }): Promise<Code>;
  /**
   * Grants what the code is for, once. Throws `activation_code_reused`, `activation_code_used_up`,
   * `activation_code_not_started` (with `retry_in` in seconds), `activation_code_ended`, `activation_code_new_accounts`
   * or `activation_code_free_plan`; the code is then as it was.
   */
  redeem(code: Code, account: string): Promise<Redeemed>;
  /** True if there are codes that haven't expired. Reads them at most every ten seconds, and only waits the first time. */
  exist(): Promise<boolean>;
}

interface Parts {
  database: Database;
  accounts: Pick<Accounts, 'find'>;
  plans: Plans;
  benefits: Benefits;
  guard: Guard;
  clock: Clock;
}

const CHECK_MS = 10_000;

export function createCodes({ database, accounts, plans, benefits, guard, clock }: Parts): Codes {
  const trying = createFlights<Code | undefined>((code) => code !== undefined);
  let known: boolean | undefined;
  let checkedAt = -Infinity;
  let checking = Promise.resolve(false);

  /** Every attempt is counted before its outcome is known, and a right one isn't counted afterwards. */
  async function attempt(digest: string, account: string, address: string): Promise<Code | undefined> {
    await guard.attempt(account, address);
    const code = await store.find(database, digest);
    if (code) await guard.succeed(account, address);
    return code;
  }

  /** Throws if a member, who had these plans before, may not redeem a code of the batch. */
  async function admit(sql: Sql, batch: Batch, account: string, held: readonly HeldPlan[]): Promise<void> {
    const now = clock.now();
    if (batch.startsAt > now)
      throw new ApiFailure('activation_code_not_started', {
        retry_in: String(Math.ceil((batch.startsAt - now) / 1000)),
      });
    const isOffered = batch.kind === 'storage' || plans.find(batch.plan) !== undefined;
    if ((batch.endsAt ?? Infinity) <= now || !isOffered) throw new ApiFailure('activation_code_ended');
    if (batch.audience === 'free-plan' && held.length > 0) throw new ApiFailure('activation_code_free_plan');
    if (batch.audience === 'new-accounts') {
      const member = await accounts.find(sql, account);
      if (!member || member.createdAt < batch.createdAt) throw new ApiFailure('activation_code_new_accounts');
    }
  }

  return {
    async find(typed, { account, address }) {
      const letters = readCode(typed);
      if (letters === undefined) throw new ApiFailure('invalid_activation_code');
      const digest = digestOf(letters);
      // Parallel requests with the same right code count as one attempt.
      const code = await trying(JSON.stringify([account, address, digest]), () =>
        attempt(digest, account, address),
      );
      if (!code) throw new ApiFailure('invalid_activation_code');
      return code;
    },

    redeem: (code, account) =>
      database.transaction(async (tx) => {
        // Two codes for members on the free plan, redeemed at once: the second sees the plan of the first.
        await tx.lock(`activation-code:${account}`);
        const batch = await store.batch(tx, code.batch);
        if (!batch) throw new ApiFailure('activation_code_ended');
        const held = await benefits.held(tx, account);
        const { kind, plan, bytes, length } = batch;
        const reference = referenceOf(code);
        // Granted first, so that the account's second attempt says that it has redeemed the code. If anything below
        // fails, nothing of this remains.
        if (!(await benefits.grant(tx, { account, kind, plan, bytes, length, cause: 'code', reference })))
          throw new ApiFailure('activation_code_reused');
        await admit(tx, batch, account, held);
        if (!(await store.use(tx, code.digest))) throw new ApiFailure('activation_code_used_up');
        await store.countUse(tx, code.batch);
        const after = await benefits.held(tx, account);
        const terms = await benefits.list(tx, account);
        const own = terms.find((term) => term.cause === 'code' && term.reference === reference);
        return {
          kind,
          bytes,
          length,
          plan: plans.find(plan),
          endsAt: kind === 'plan' ? after.find((one) => one.plan.id === plan)?.endsAt : own?.endsAt,
        };
      }),

    async exist() {
      const now = clock.now();
      if (now < checkedAt || now >= checkedAt + CHECK_MS) {
        checkedAt = now;
        checking = store.hasAny(database, now).then(
          (found) => (known = found),
          () => known ?? false,
        );
      }
      return known ?? checking;
    },
  };
}
