import { textIn, type Locale } from '@bowerbird/contract';
import { isUsable, type Accounts, type Notices } from '../../account/index.ts';
import type { Database, Tx } from '../../foundation/database/index.ts';
import { timeText, type Clock } from '../../foundation/index.ts';
import { benefitStore } from './benefit-store.ts';
import type { Plans } from './plan.ts';
import { REMINDERS, remindingOf, type Reminder } from './reminder.ts';

/** Emails before a plan ends and when its grace period begins. */
export interface PlanMails {
  /** Sends those that are due. May run in several processes at once. */
  remind(signal: AbortSignal): Promise<void>;
}

const AT_ONCE = 200;
const DEFAULT_LOCALE: Locale = 'en-US';

export function createPlanMails({
  database,
  accounts,
  notices,
  plans,
  clock,
}: {
  database: Database;
  accounts: Pick<Accounts, 'find'>;
  notices: Pick<Notices, 'tell'>;
  plans: Plans;
  clock: Clock;
}): PlanMails {
  async function tell(tx: Tx, id: string, reminder: Reminder, term: { plan: string; endsAt: number }) {
    const account = await accounts.find(tx, id);
    const plan = plans.find(term.plan);
    if (!account || !plan || !isUsable(account) || !account.planMail) return;
    const day = (time: number): string => timeText(time).slice(0, 10);
    await notices.tell(tx, account, reminder === 'grace' ? 'planGrace' : 'planEnding', {
      plan: textIn(plan.name, account.locale ?? DEFAULT_LOCALE),
      date: day(term.endsAt),
      until: day(term.endsAt + plans.graceMs),
    });
  }

  /** Looks at one term, under the lock of its account's benefits: what is sent and what is noted belong together. */
  async function look(tx: Tx, account: string, id: string): Promise<void> {
    await tx.lock(`benefit:${account}`);
    const now = clock.now();
    const noted = await benefitStore.reminding(tx, id);
    if (!noted || noted.remindAt === undefined || noted.remindAt > now) return;
    const terms = await benefitStore.list(tx, account);
    const term = terms.find((one) => one.id === id);
    if (!term) return;
    const { told } = noted;
    const { due, nextAt } = remindingOf(term, { told, terms, graceMs: plans.graceMs, now });
    await benefitStore.setReminding(tx, id, {
      told: due === undefined ? told : REMINDERS.indexOf(due) + 1,
      remindAt: nextAt,
    });
    if (due !== undefined) await tell(tx, account, due, { plan: term.plan, endsAt: term.endsAt! });
  }

  return {
    async remind(signal) {
      for (;;) {
        const due = await benefitStore.toRemind(database, clock.now(), AT_ONCE);
        if (due.length === 0) return;
        for (const { account, id } of due) {
          signal.throwIfAborted();
          await database.transaction((tx) => look(tx, account, id));
        }
      }
    },
  };
}
