import Type, { type Static } from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Empty, Id, oneOf, Time } from '../wire.ts';
import { own } from './own.ts';

/** One place where the member is signed in. */
export const Session = Type.Object({
  id: Id,
  /** True for the session that makes this call. */
  current: Type.Boolean(),
  /** "Firefox, Linux", the program's own name, or "". */
  device: Type.String(),
  /** True for a browser using our own pages, false for another program. */
  browser: Type.Boolean(),
  /** Network address of the sign-in. */
  address: Type.String(),
  created_at: Time,
  /** Last use, rounded to the hour for browsers; for programs, the last token refresh. */
  seen_at: Time,
});
export type Session = Static<typeof Session>;

export const SIGN_IN_WAYS = [
  'sign_up',
  'password',
  'mail_code',
  'sms_code',
  'second_factor',
  'recovery_code',
  'passkey',
  'app_password',
  'app',
  'external',
  'handover',
] as const;

/** A sign-in, or an attempt to sign in. */
export const SignIn = Type.Object({
  id: Id,
  way: oneOf(SIGN_IN_WAYS),
  outcome: oneOf(['in', 'refused'] as const),
  device: Type.String(),
  address: Type.String(),
  at: Time,
});
export type SignIn = Static<typeof SignIn>;

export const sessionApi = {
  listSessions: endpoint({
    ...own,
    name: 'security.listSessions',
    method: 'GET',
    path: '/v1/user/sessions',
    summary: 'List your sessions',
    reply: Type.Object({ sessions: Type.Array(Session) }),
  }),
  endSession: endpoint({
    ...own,
    name: 'security.endSession',
    method: 'DELETE',
    path: '/v1/user/sessions/{id}',
    summary: 'End a session',
    params: Type.Object({ id: Id }),
    reply: Empty,
    errors: ['not_found'],
  }),
  endOtherSessions: endpoint({
    ...own,
    name: 'security.endOtherSessions',
    method: 'POST',
    path: '/v1/user/sessions:endOthers',
    summary: 'End all other sessions',
    reply: Empty,
  }),
  listSignIns: endpoint({
    ...own,
    name: 'security.listSignIns',
    method: 'GET',
    path: '/v1/user/sign-ins',
    summary: 'List sign-in attempts',
    description: 'Returns successful and refused attempts from the last 30 days, newest first.',
    reply: Type.Object({ sign_ins: Type.Array(SignIn) }),
  }),
};
