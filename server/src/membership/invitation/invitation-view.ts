import type { inviteApi, ReplyOf } from '@bowerbird/contract';
import { timeText } from '../../foundation/index.ts';
import type { ShownReward } from './invitation-service.ts';
import { WAITING_MS, type Invitation, type InvitationState } from './invitation.ts';

type Item = ReplyOf<typeof inviteApi.list>['data'][number];

/** An invitation that has waited for too long is not rewarded any more. */
export function stateAt({ state, createdAt }: Invitation, now: number): InvitationState {
  return state === 'waiting' && createdAt <= now - WAITING_MS ? 'unrewarded' : state;
}

export function rewardView({ invitation, name, isPurchase, at }: ShownReward, now: number): Item {
  const common = { invited_user: name, time: timeText(at) };
  if (isPurchase)
    return {
      ...common,
      reward_source: 'vip_rebate',
      reward_days: invitation.purchaseDays,
      state: 'rewarded',
    };
  return {
    ...common,
    reward_source: invitation.state === 'rewarded' ? 'invite_reward' : 'relation',
    reward_days: invitation.days,
    state: stateAt(invitation, now),
  };
}
