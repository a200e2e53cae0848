import Type, { type Static } from 'typebox';
import { CONTACT_TOPICS } from '../contact.ts';
import { endpoint } from '../endpoint.ts';
import { Decimal, Empty, Id, Limit, MaybeTime, oneOf, PageToken, Time } from '../wire.ts';

/** Endpoints for administrators; all other callers get `permission_denied`. */

const Person = Type.Object({
  id: Id,
  name: Type.String(),
  email: Type.String(),
  phone_number: Type.String(),
  operator: Type.Boolean(),
  /** `closing`: the owner or an administrator has requested deletion. */
  status: oneOf(['active', 'waiting', 'review', 'frozen', 'closing'] as const),
  storage_used: Decimal,
  storage_limit: Decimal,
  /** Plans other than the free one, with their names in the caller's language. */
  plans: Type.Array(Type.Object({ id: Type.String(), name: Type.String(), expire: MaybeTime })),
  created_at: Time,
  /** When any of their sessions was last used. */
  seen_at: MaybeTime,
});
export type Person = Static<typeof Person>;

const ReceivedMessage = Type.Object({
  id: Id,
  topic: oneOf(CONTACT_TOPICS),
  email: Type.String(),
  message: Type.String(),
  /** The share or page that the message is about, or "". */
  link: Type.String(),
  created_at: Time,
});
export type ReceivedMessage = Static<typeof ReceivedMessage>;

const ServiceState = Type.Object({
  version: Type.String(),
  /** The address from the settings; "" if none is set. */
  site_url: Type.String(),
  mail: Type.Object({
    /** False if no mail server is configured. */
    delivers: Type.Boolean(),
    from: Type.String(),
  }),
  sign_up: oneOf(['open', 'approval', 'closed'] as const),
  space: Type.Object({
    /** Total bytes stored by all members. */
    used: Decimal,
    /** Bytes of uploads and cloud downloads in progress. */
    arriving: Decimal,
    /** Bytes still available in the storage; "" if it doesn't report them. */
    free: Type.String(),
    /** Bytes that are kept free: uploads never use them. */
    reserve: Decimal,
    /** `low`: administrators are warned by email; `full`: only the reserve is left, and uploads are refused. */
    level: oneOf(['ok', 'low', 'full'] as const),
  }),
  people: Type.Object({ all: Type.Integer(), waiting: Type.Integer(), frozen: Type.Integer() }),
  /** Messages that aren't marked as done yet. */
  messages: Type.Object({ reports: Type.Integer(), others: Type.Integer() }),
  health: Type.Object({
    database: Type.Boolean(),
    storage: Type.Boolean(),
    /**
     * Background jobs: those more than a minute overdue that no worker has picked up, and those that failed at least
     * once.
     */
    jobs_late: Type.Integer(),
    jobs_failing: Type.Integer(),
  }),
});
export type ServiceState = Static<typeof ServiceState>;

const PersonId = Type.Object({ id: Id });
const common = { host: 'config', credentials: 'required' } as const;

export const adminApi = {
  service: endpoint({
    ...common,
    name: 'admin.service',
    method: 'GET',
    path: '/admin/v1/service',
    summary: 'Get the state of the service',
    description: 'Returns its configuration and health.',
    reply: ServiceState,
    errors: ['permission_denied'],
  }),
  reach: endpoint({
    ...common,
    name: 'admin.reach',
    method: 'GET',
    path: '/admin/v1/reach',
    summary: 'Check the configured address',
    description: 'Returns whether the service responds at its configured address.',
    reply: Type.Object({ reached: Type.Boolean() }),
    errors: ['permission_denied'],
  }),
  testMail: endpoint({
    ...common,
    name: 'admin.testMail',
    method: 'POST',
    path: '/admin/v1/mail-test',
    repeatable: true,
    summary: 'Send a test email',
    description: 'Sends it to the administrator who makes the call.',
    reply: Type.Object({
      sent: Type.Boolean(),
      to: Type.String(),
      /** The mail server's response, if the message couldn't be sent. */
      reason: Type.String(),
    }),
    errors: ['permission_denied', 'unsupported'],
  }),
  people: endpoint({
    ...common,
    name: 'admin.people',
    method: 'GET',
    path: '/admin/v1/people',
    summary: 'List accounts',
    description: 'Returns the oldest first.',
    query: Type.Object({
      status: Type.Optional(oneOf(['waiting', 'frozen', 'review'] as const)),
      limit: Limit,
      page_token: PageToken,
    }),
    reply: Type.Object({ people: Type.Array(Person), next_page_token: Type.String() }),
    errors: ['permission_denied'],
  }),
  admit: endpoint({
    ...common,
    name: 'admin.admit',
    method: 'POST',
    path: '/admin/v1/people/{id}/admit',
    summary: 'Approve a waiting account',
    params: PersonId,
    reply: Empty,
    errors: ['permission_denied', 'not_found'],
  }),
  decline: endpoint({
    ...common,
    name: 'admin.decline',
    method: 'POST',
    path: '/admin/v1/people/{id}/decline',
    summary: 'Decline a waiting account',
    description: 'Deletes the account.',
    params: PersonId,
    reply: Empty,
    errors: ['permission_denied', 'not_found'],
  }),
  freeze: endpoint({
    ...common,
    name: 'admin.freeze',
    method: 'POST',
    path: '/admin/v1/people/{id}/freeze',
    summary: 'Freeze an account',
    description:
      "Ends all sessions of the account and blocks sign-in until it is unfrozen. Administrators can't be frozen.",
    params: PersonId,
    reply: Empty,
    errors: ['permission_denied', 'not_found'],
  }),
  thaw: endpoint({
    ...common,
    name: 'admin.thaw',
    method: 'POST',
    path: '/admin/v1/people/{id}/thaw',
    summary: 'Unfreeze an account',
    description: 'The owner of a frozen account, or of one under review, can sign in again.',
    params: PersonId,
    reply: Empty,
    errors: ['permission_denied', 'not_found'],
  }),
  setStorage: endpoint({
    ...common,
    name: 'admin.setStorage',
    method: 'PATCH',
    path: '/admin/v1/people/{id}',
    summary: "Set an account's storage limit",
    params: PersonId,
    body: Type.Object({ storage_limit: Decimal }),
    reply: Empty,
    errors: ['permission_denied', 'not_found'],
  }),
  messages: endpoint({
    ...common,
    name: 'admin.messages',
    method: 'GET',
    path: '/admin/v1/messages',
    summary: 'List open messages',
    description: "Returns the messages to the administrator that aren't marked as done, newest first.",
    query: Type.Object({
      kind: Type.Optional(oneOf(['report', 'other'] as const)),
      limit: Limit,
      page_token: PageToken,
    }),
    reply: Type.Object({ messages: Type.Array(ReceivedMessage), next_page_token: Type.String() }),
    errors: ['permission_denied'],
  }),
  handleMessage: endpoint({
    ...common,
    name: 'admin.handleMessage',
    method: 'POST',
    path: '/admin/v1/messages/{id}/handle',
    summary: 'Mark a message as done',
    params: Type.Object({ id: Id }),
    reply: Empty,
    errors: ['permission_denied', 'not_found'],
  }),
};
