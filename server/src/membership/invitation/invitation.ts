import { CLEAR_LETTERS, drawLetters } from '../../foundation/index.ts';

/**
 * `waiting` until the invited person has stored something, then `rewarded`; `unrewarded` from the start if the inviter
 * and the invited person may be the same.
 */
export type InvitationState = 'waiting' | 'rewarded' | 'unrewarded';

/** An invitation that led to a new account. */
export interface Invitation {
  readonly id: string;
  /** The account of the person who was invited. */
  readonly account: string;
  readonly inviter: string;
  readonly state: InvitationState;
  /** Days that the inviter was given. */
  readonly days: number;
  /** Days that the inviter was given for the first purchase of the invited person. */
  readonly purchaseDays: number;
  readonly createdAt: number;
  readonly settledAt: number | undefined;
}

/**
 * State of the first purchase of an invited person: `paid` until the inviter was given the days, then `rewarded`;
 * `refunded` until they were taken back, then `closed`.
 */
export type PurchaseState = 'paid' | 'rewarded' | 'refunded' | 'closed';

/** First purchase of an invited person. */
export interface Purchase {
  /** Account of the invited person. */
  readonly account: string;
  readonly inviter: string;
  /** Id of the invitation. */
  readonly invitation: string;
  readonly state: PurchaseState;
}

/** Cause of the days that an inviter gets for it; their reference is the id of the invitation. */
export const FRIEND_ORDER = 'friend_order';

export const DAY_MS = 24 * 3600 * 1000;
/** Time in which the invited person has to store something. */
export const WAITING_MS = 90 * DAY_MS;

const INVITE_LENGTH = 8;

export function drawInviteCode(): string {
  return drawLetters(CLEAR_LETTERS, INVITE_LENGTH);
}

/** Days that an inviter gets for one more invitation. */
export function daysForInviter(each: number, most: number, given: number): number {
  return Math.max(0, Math.min(each, most - given));
}
