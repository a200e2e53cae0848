import type { Member } from './member.ts';
import type { TestApp } from './test-app.ts';

const DAY_MS = 24 * 3600 * 1000;

interface Gift {
  plan?: string;
  /** Additional storage, if no plan is named. */
  bytes?: number;
  /** Without an end if absent. */
  days?: number | undefined;
  reference?: string;
}

/** Grants a member a plan or additional storage, as an administrator does. */
export function grantBenefit(
  app: Pick<TestApp, 'database' | 'benefits' | 'ids'>,
  { id: account }: Pick<Member, 'id'>,
  { plan = '', bytes = 0, days, reference }: Gift,
): Promise<boolean> {
  return app.database.transaction((tx) =>
    app.benefits.grant(tx, {
      account,
      kind: plan === '' ? 'storage' : 'plan',
      plan,
      bytes,
      length: days === undefined ? undefined : days * DAY_MS,
      cause: 'administrator',
      reference: reference ?? app.ids.next(),
    }),
  );
}

/** Runs a job that otherwise runs at its interval, and everything else that is due. */
export async function runJob(
  { database, jobs }: Pick<TestApp, 'database' | 'jobs'>,
  kind: string,
): Promise<void> {
  await database.transaction((tx) => jobs.enqueue(tx, kind, null));
  await jobs.drain();
}
