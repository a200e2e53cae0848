import type { Generated } from 'kysely';
import type { MembershipTables } from '../membership-tables.ts';
import type { InvitationState, PurchaseState } from './invitation.ts';
import type { TraceKind } from './newcomer.ts';

export interface InvitationTables extends Pick<MembershipTables, 'quota' | 'invite_code'> {
  invitation: {
    /** The account of the person who was invited. */
    account: string;
    id: string;
    inviter: string;
    state: InvitationState;
    /** Days that the inviter was given. */
    days: number;
    created_at: number;
    settled_at: number | null;
    /** Null until the invited person has bought something. */
    purchase_state: PurchaseState | null;
    purchase_order: string | null;
    /** Id of the reward for the purchase, which begins with its time. */
    purchase_id: string | null;
    purchase_days: Generated<number>;
    purchased_at: number | null;
  };
  newcomer_trace: {
    kind: TraceKind;
    hash: string;
    /** Hash of the account. */
    holder: string;
    at: number;
  };
}
