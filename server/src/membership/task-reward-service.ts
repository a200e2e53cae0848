import type { TaskScene } from '@bowerbird/contract';
import type { Database, Sql } from '../foundation/database/index.ts';
import { ledgerStore } from './ledger-store.ts';
import type { Offers } from './offer/index.ts';
import type { Benefits } from './plan/index.ts';

/** Days of a plan for things that a member does once. */
export interface TaskRewardService {
  /** Returns whether the member did it, from what the server knows. */
  isDone(sql: Sql, account: string, scene: TaskScene): Promise<boolean>;
  /** Returns whether the member got the reward. */
  isRewarded(sql: Sql, account: string, scene: TaskScene): Promise<boolean>;
  /** Grants the reward; returns false if it isn't done, has no reward, or was rewarded already. */
  claim(account: string, scene: TaskScene): Promise<boolean>;
}

/** Ledger entry that proves it. */
const PROOF: Readonly<Record<TaskScene, string>> = { upload_file: 'upload' };

export function createTaskRewards({
  database,
  benefits,
  offers: { tasks: offer },
}: {
  database: Database;
  benefits: Pick<Benefits, 'grantDays' | 'list'>;
  offers: Pick<Offers, 'tasks'>;
}): TaskRewardService {
  const rewards: TaskRewardService = {
    async isDone(sql, account, scene) {
      const causes = await ledgerStore.causes(sql, account);
      return causes.some(({ resource, reason }) => resource === 'storage' && reason === PROOF[scene]);
    },

    async isRewarded(sql, account, scene) {
      const all = await benefits.list(sql, account);
      return all.some(({ cause, reference }) => cause === 'task' && reference === scene);
    },

    async claim(account, scene) {
      const days = offer?.days.get(scene);
      if (!offer || days === undefined) return false;
      return database.transaction(async (tx) => {
        if (!(await rewards.isDone(tx, account, scene))) return false;
        return benefits.grantDays(tx, account, {
          plan: offer.plan,
          days,
          cause: 'task',
          reference: scene,
        });
      });
    },
  };
  return rewards;
}
