import Type from 'typebox';
import { TokenReply } from './account.ts';
import { endpoint } from '../endpoint.ts';
import { LIMITS } from '../limits.ts';
import { SIGNED_IN } from '../scopes.ts';
import { oneOf, Time } from '../wire.ts';

const own = { host: 'user', credentials: 'required', scope: SIGNED_IN } as const;

/**
 * The closing of an account by its owner: it can't be used from then on and is deleted some days later. Until then,
 * the owner can restore it.
 */
export const closingApi = {
  rules: endpoint({
    ...own,
    name: 'closing.rules',
    method: 'GET',
    path: '/v1/user/closing',
    summary: 'Get the rules for closing your account',
    reply: Type.Object({
      /** Days during which closing can be undone. */
      days: Type.Integer(),
      /** True if the member is the only administrator: at least one must remain. */
      last_operator: Type.Boolean(),
    }),
  }),
  begin: endpoint({
    ...own,
    name: 'closing.begin',
    method: 'POST',
    path: '/v1/user/closing',
    summary: 'Close your account',
    description:
      'The account can no longer be used, and is deleted after the grace period. Ends all sessions, including this one, and all app passwords, tokens and app consents. Shares are closed to visitors.',
    body: Type.Object({ password: Type.String({ maxLength: LIMITS.passwordMax }) }),
    reply: Type.Object({ closes_at: Time }),
    errors: ['invalid_password', 'account_locked_retry', 'account_locked', 'last_operator'],
  }),
  keep: endpoint({
    name: 'closing.keep',
    method: 'POST',
    path: '/v1/auth/signin/keep',
    host: 'user',
    credentials: 'none',
    summary: 'Keep an account that is being closed',
    description:
      'Cancels the closing and signs in. Signing in to an account that is being closed returns `account_in_cancellation`, whose details contain the ticket.',
    body: Type.Object({
      client_id: Type.Optional(Type.String({ maxLength: 128 })),
      client_secret: Type.Optional(Type.String({ maxLength: 256 })),
      ticket: Type.String({ maxLength: 2048 }),
      session: Type.Optional(oneOf(['token', 'cookie'] as const)),
    }),
    reply: TokenReply,
    errors: ['token_expired', 'account_frozen', 'account_under_review', 'account_not_activated'],
  }),
};
