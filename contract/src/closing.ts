import Type from 'typebox';
import { TokenReply } from './account.ts';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { SIGNED_IN } from './scopes.ts';
import { oneOf, Time } from './wire.ts';

const own = { host: 'user', credentials: 'required', scope: SIGNED_IN } as const;

/** An account that its owner closes: out of use at once, gone some days later, and theirs to take back until then. */
export const closingApi = {
  rules: endpoint({
    ...own,
    name: 'closing.rules',
    method: 'GET',
    path: '/v1/user/closing',
    summary: 'How closing my account works here',
    reply: Type.Object({
      /** For so many days it can be taken back. */
      days: Type.Integer(),
      /** True for who alone runs the service: somebody must. */
      last_operator: Type.Boolean(),
    }),
  }),
  /** Ends this session with all others, app passwords, tokens, consents of apps; shares are closed to visitors. */
  begin: endpoint({
    ...own,
    name: 'closing.begin',
    method: 'POST',
    path: '/v1/user/closing',
    summary: 'Close my account: it can be used no more, and is deleted after the days to think it over',
    body: Type.Object({ password: Type.String({ maxLength: LIMITS.passwordMax }) }),
    reply: Type.Object({ closes_at: Time }),
    errors: ['invalid_password', 'account_locked_retry', 'account_locked', 'last_operator'],
  }),
  /** Signing in to an account that is being closed answers `account_in_cancellation`, whose details carry the ticket. */
  keep: endpoint({
    name: 'closing.keep',
    method: 'POST',
    path: '/v1/auth/signin/keep',
    host: 'user',
    credentials: 'none',
    summary: 'Keep an account that is being closed, and sign in to it',
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
