import type { MembershipTables } from '../membership-tables.ts';
import type { InvitationState } from './invitation.ts';
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
  };
  newcomer_trace: {
    kind: TraceKind;
    hash: string;
    /** Hash of the account. */
    holder: string;
    at: number;
  };
}
