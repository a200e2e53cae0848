import { TASK_SCENES, type Fields, type TaskScene } from '@bowerbird/contract';
import type { Config } from '../../foundation/index.ts';
import { fieldsOf } from '../document.ts';
import { planNamed, VIP, type Plan, type Plans } from '../plan/index.ts';

/** Days of a plan that are given to everyone who signs up. */
export interface FreeDays {
  readonly plan: Plan;
  readonly days: number;
}

/** Days of a plan that are given for an invitation that led to a new account. */
export interface Invitations {
  readonly plan: Plan;
  /** For the person who was invited; 0 for none. */
  readonly invitedDays: number;
  /** For the member who invited them; 0 for none. */
  readonly inviterDays: number;
  /** For the inviter, when the invited person has paid their first order; 0 for none. */
  readonly purchaseDays: number;
  /** Days that one member can get for all their invitations and those purchases together. */
  readonly mostDays: number;
}

/** Days of a plan that are given for checking in on consecutive days. */
export interface CheckInRewards {
  readonly plan: Plan;
  /** Shortest streak first; each streak once. */
  readonly rewards: readonly { readonly streak: number; readonly days: number }[];
}

/** Days of a plan that are given once for something that a member does. */
export interface TaskRewards {
  readonly plan: Plan;
  /** Days by task. */
  readonly days: ReadonlyMap<TaskScene, number>;
}

/** Days that the administrator gives away, from the document `external_products`; undefined parts are not offered. */
export interface Offers {
  readonly freeDays: FreeDays | undefined;
  readonly invitations: Invitations | undefined;
  readonly checkIn: CheckInRewards | undefined;
  readonly tasks: TaskRewards | undefined;
}

const MOST_DAYS = 3650;
const USUAL_MOST_DAYS = 365;

function days(value: unknown, what: string, least: number): number {
  if (Number.isInteger(value) && Number(value) >= least && Number(value) <= MOST_DAYS) return Number(value);
  throw new Error(`${what} must be a number of days from ${least} to ${MOST_DAYS}`);
}

function freeDaysOf(value: unknown, plans: Plans): FreeDays {
  const fields = fieldsOf(value, 'free_days', ['plan', 'days']);
  return {
    plan: planNamed(fields['plan'] ?? VIP, 'free_days.plan', plans),
    days: days(fields['days'], 'free_days.days', 1),
  };
}

function invitationsOf(value: unknown, plans: Plans, isSelling: boolean): Invitations {
  const known = ['plan', 'invited_days', 'inviter_days', 'purchase_days', 'most_days'];
  const fields = fieldsOf(value, 'invitations', known);
  const invitedDays = days(fields['invited_days'] ?? 0, 'invitations.invited_days', 0);
  const inviterDays = days(fields['inviter_days'] ?? 0, 'invitations.inviter_days', 0);
  const purchaseDays = days(fields['purchase_days'] ?? 0, 'invitations.purchase_days', 0);
  if (invitedDays + inviterDays + purchaseDays === 0)
    throw new Error('invitations must have invited_days, inviter_days or purchase_days');
  if (purchaseDays > 0 && !isSelling)
    throw new Error('invitations.purchase_days needs products that members can order');
  const largest = Math.max(inviterDays, purchaseDays);
  return {
    plan: planNamed(fields['plan'] ?? VIP, 'invitations.plan', plans),
    invitedDays,
    inviterDays,
    purchaseDays,
    mostDays: days(
      fields['most_days'] ?? Math.max(USUAL_MOST_DAYS, largest),
      'invitations.most_days',
      largest,
    ),
  };
}

const MOST_REWARDS = 100;
const LONGEST_STREAK = 3650;

function checkInOf(value: unknown, plans: Plans): CheckInRewards {
  const fields = fieldsOf(value, 'check_in', ['plan', 'rewards']);
  const { rewards } = fields;
  if (!Array.isArray(rewards) || rewards.length === 0 || rewards.length > MOST_REWARDS)
    throw new Error(`check_in.rewards must be a list of 1 to ${MOST_REWARDS} rewards`);
  const read = rewards.map((reward: unknown, at) => {
    const here = `check_in.rewards[${at}]`;
    const { streak, days: given } = fieldsOf(reward, here, ['streak', 'days']);
    if (!Number.isInteger(streak) || Number(streak) < 1 || Number(streak) > LONGEST_STREAK)
      throw new Error(`${here}.streak must be a number of days from 1 to ${LONGEST_STREAK}`);
    return { streak: Number(streak), days: days(given, `${here}.days`, 1) };
  });
  const streaks = new Set(read.map(({ streak }) => streak));
  if (streaks.size < read.length) throw new Error('check_in.rewards has a streak twice');
  return {
    plan: planNamed(fields['plan'] ?? VIP, 'check_in.plan', plans),
    rewards: read.toSorted((a, b) => a.streak - b.streak),
  };
}

function tasksOf(value: unknown, plans: Plans): TaskRewards {
  const fields = fieldsOf(value, 'tasks', ['plan', ...TASK_SCENES]);
  return {
    plan: planNamed(fields['plan'] ?? VIP, 'tasks.plan', plans),
    days: new Map(
      TASK_SCENES.flatMap((scene) =>
        fields[scene] === undefined ? [] : [[scene, days(fields[scene], `tasks.${scene}`, 1)]],
      ),
    ),
  };
}

/**
 * Reads what is given away; throws a sentence about an error in the document. Nobody can be invited while only the
 * administrator creates accounts.
 */
export function readOffers(
  { free_days: free, invitations, check_in: checkIn, tasks, products }: Fields,
  plans: Plans,
  { SIGN_UP }: Pick<Config, 'SIGN_UP'>,
): Offers {
  const isSelling = Array.isArray(products) && products.length > 0;
  const invites = invitations === undefined ? undefined : invitationsOf(invitations, plans, isSelling);
  return {
    freeDays: free === undefined ? undefined : freeDaysOf(free, plans),
    invitations: SIGN_UP === 'closed' ? undefined : invites,
    checkIn: checkIn === undefined ? undefined : checkInOf(checkIn, plans),
    tasks: tasks === undefined ? undefined : tasksOf(tasks, plans),
  };
}
