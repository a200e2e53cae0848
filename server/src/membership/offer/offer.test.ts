import { expect, test } from 'vitest';
import { readPlans } from '../plan/index.ts';
import { readOffers } from './offer.ts';
import { PLAN_SETTINGS } from '../../../testing/plan-settings.ts';

const PLANS = { plans: [{ id: 'team', name: 'Team' }] };
const plans = readPlans(PLANS, PLAN_SETTINGS);
const read = (document: Record<string, unknown>, SIGN_UP: 'open' | 'closed' = 'open') =>
  readOffers({ ...PLANS, ...document }, plans, { SIGN_UP });

test('nothing is offered that the document does not contain', () => {
  expect(read({})).toEqual({ freeDays: undefined, invitations: undefined });
});

test('the days are of the plan in the document, or of the plan vip', () => {
  const [vip, team] = [plans.find('vip')!, plans.find('team')!];
  expect(
    read({
      free_days: { days: 7 },
      invitations: { plan: 'team', invited_days: 7, inviter_days: 14, most_days: 140 },
    }),
  ).toEqual({
    freeDays: { plan: vip, days: 7 },
    invitations: { plan: team, invitedDays: 7, inviterDays: 14, purchaseDays: 0, mostDays: 140 },
  });
  expect(read({ invitations: { inviter_days: 400 } }).invitations).toEqual({
    plan: vip,
    invitedDays: 0,
    inviterDays: 400,
    purchaseDays: 0,
    mostDays: 400,
  });
  expect(read({ invitations: { invited_days: 3 } }).invitations?.mostDays).toBe(365);
});

test('nobody is invited where nobody can sign up', () => {
  const document = { free_days: { days: 7 }, invitations: { invited_days: 3 } };
  expect(read(document, 'closed')).toMatchObject({ freeDays: { days: 7 }, invitations: undefined });
  expect(() => read({ invitations: {} }, 'closed')).toThrow('invitations must have');
});

test.each([
  [{ free_days: 7 }, 'free_days must be an object'],
  [{ free_days: {} }, 'free_days.days must be a number of days from 1 to 3650'],
  [{ free_days: { days: 0 } }, 'free_days.days must be a number of days from 1 to 3650'],
  [{ free_days: { days: 1.5 } }, 'free_days.days must be a number of days from 1 to 3650'],
  [{ free_days: { days: 7, plan: 'free' } }, 'free_days.plan must be one of the plans: team, vip'],
  [{ free_days: { days: 7, plans: 'vip' } }, 'free_days has an unknown field plans'],
  [{ invitations: [] }, 'invitations must be an object'],
  [{ invitations: {} }, 'invitations must have invited_days, inviter_days or purchase_days'],
  [{ invitations: { purchase_days: 7 } }, 'invitations.purchase_days needs products that members can order'],
  [
    { products: [{}], invitations: { purchase_days: 60, most_days: 30 } },
    'invitations.most_days must be a number of days from 60 to 3650',
  ],
  [{ invitations: { invited_days: -1 } }, 'invitations.invited_days must be a number of days from 0 to 3650'],
  [
    { invitations: { invited_days: 1, plan: 'gold' } },
    'invitations.plan must be one of the plans: team, vip',
  ],
  [
    { invitations: { inviter_days: 14, most_days: 7 } },
    'invitations.most_days must be a number of days from 14 to 3650',
  ],
  [{ invitations: { days: 7 } }, 'invitations has an unknown field days'],
  [{ check_in: {} }, 'check_in.rewards must be a list of 1 to 100 rewards'],
  [
    { check_in: { rewards: [{ streak: 0, days: 1 }] } },
    'check_in.rewards[0].streak must be a number of days from 1 to 3650',
  ],
  [
    { check_in: { rewards: [{ streak: 1, days: 0 }] } },
    'check_in.rewards[0].days must be a number of days from 1 to 3650',
  ],
  [
    {
      check_in: {
        rewards: [
          { streak: 7, days: 1 },
          { streak: 7, days: 2 },
        ],
      },
    },
    'check_in.rewards has a streak twice',
  ],
  [{ tasks: { sleep: 1 } }, 'tasks has an unknown field sleep'],
  // The server can't know whether somebody did this, so nothing can be promised for it.
  [{ tasks: { install_web_pikpak_extension: 1 } }, 'tasks has an unknown field install_web_pikpak_extension'],
])('an error in the document is explained: %j', (document, message) => {
  expect(() => read(document)).toThrow(message);
});
