import type { Term } from '../plan/index.ts';
import { DAY_MS, FRIEND_ORDER } from './invitation.ts';
import { INVITED } from './newcomer.ts';

/** True for days that an inviter was given for somebody else, and still has if they were for a purchase. */
export const isForInviting = ({ cause, reference, revokedAt }: Term): boolean =>
  cause === FRIEND_ORDER ? revokedAt === undefined : cause === 'invite' && reference !== INVITED;

/**
 * Sums the days for invitations and purchases that an account was given, even those of accounts that don't exist any
 * more. Days for a purchase that was refunded don't count.
 */
export const daysFromInvitations = (terms: readonly Term[]): number =>
  terms.filter(isForInviting).reduce((sum, { length = 0 }) => sum + length / DAY_MS, 0);
