import type { Sql, Tx } from '../../foundation/database/index.ts';
import type { Clock } from '../../foundation/index.ts';
import type { Benefits, Term } from '../plan/index.ts';
import type { OrderRow } from './order.ts';
import { endingStore } from './payment-ending-store.ts';
import { renewalStore } from './renewal-store.ts';
import { extensionMs, isRenewing, type RenewalRow } from './renewal.ts';

/**
 * Extensions of plans that renew: a benefit after the paid end, for the time that the next charge may take. It ends when
 * the next term is paid, and is taken back when the renewal is canceled before.
 */
export interface Extensions {
  /** True if the account has a renewal that will be charged again; of the plan, if one is given. */
  has(sql: Sql, account: string, plan?: string): Promise<boolean>;
  /** Grants or revokes the extension as the state of the renewal demands. */
  settle(tx: Tx, renewal: RenewalRow): Promise<void>;
  /** A refund of the latest term ends the renewal; one of an earlier term doesn't. */
  onRefund(tx: Tx, order: OrderRow): Promise<void>;
}

export function createExtensions({
  benefits,
  graceMs,
  clock,
}: {
  benefits: Benefits;
  graceMs: number;
  clock: Clock;
}): Extensions {
  const of = async (sql: Sql, { account, id }: RenewalRow): Promise<Term[]> =>
    (await benefits.list(sql, account)).filter(
      ({ cause, reference }) => cause === 'renewal' && reference.startsWith(`${id}.`),
    );
  const isLeft = ({ revokedAt }: Term): boolean => revokedAt === undefined;

  const extensions: Extensions = {
    async has(sql, account, plan) {
      const all = await renewalStore.ofAccount(sql, account);
      return all.some((one) => isRenewing(one) && (plan === undefined || one.plan === plan));
    },

    async settle(tx, renewal) {
      const { id, account, plan, lastOrder } = renewal;
      const all = await of(tx, renewal);
      const left = all.filter(isLeft);
      const present = left.filter(({ reference }) => reference.startsWith(`${id}.${lastOrder}.`));
      const superfluous = left.filter(
        (one) => !present.includes(one) || (!isRenewing(renewal) && one.startsAt > clock.now()),
      );
      for (const one of superfluous) await benefits.revoke(tx, account, one.id);
      if (!isRenewing(renewal) || present.length > 0) return;
      const length = extensionMs(graceMs);
      const reference = `${id}.${lastOrder}.${all.length}`;
      await benefits.grant(tx, {
        account,
        kind: 'plan',
        plan,
        bytes: 0,
        length,
        cause: 'renewal',
        reference,
      });
    },

    async onRefund(tx, order) {
      const renewal = await renewalStore.byId(tx, order.renewal);
      if (!renewal || renewal.lastOrder !== order.id || renewal.endedAt !== undefined) return;
      const ended: RenewalRow = { ...renewal, state: 'ended', nextAt: undefined, endedAt: clock.now() };
      await renewalStore.setState(tx, renewal.id, ended);
      for (const one of (await of(tx, renewal)).filter(isLeft))
        await benefits.revoke(tx, renewal.account, one.id);
      await endingStore.insert(tx, { id: renewal.subscription, kind: 'renewal', dueAt: clock.now() });
    },
  };
  return extensions;
}
