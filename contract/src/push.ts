import Type, { type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { Empty, Id, Time } from './wire.ts';

/** A browser that gets notifications. */
export const PushDevice = Type.Object({
  id: Id,
  /** For example "Firefox, Linux"; `""` if unknown. */
  name: Type.String(),
  /** True for the browser of this session. */
  is_current: Type.Boolean(),
  /** True if notifications may contain names of files. */
  with_names: Type.Boolean(),
  created_time: Time,
  /** When the last notification was accepted by the push service; `""` if none was. */
  sent_time: Type.String(),
});
export type PushDevice = Static<typeof PushDevice>;

/** Kinds of notifications. */
export const PUSH_KINDS = ['download', 'share'] as const;
export type PushKind = (typeof PUSH_KINDS)[number];

/** Message as a service worker gets it, decrypted: the texts of a notification in the language of the browser's pages. */
export interface PushMessage {
  readonly kind: PushKind;
  readonly title: string;
  readonly body: string;
  /** Path of the page to open. */
  readonly path: string;
}

const own = { host: 'drive', credentials: 'required' } as const;

export const pushApi = {
  look: endpoint({
    ...own,
    name: 'push.look',
    method: 'GET',
    path: '/drive/v1/push',
    summary: 'List browsers that get notifications',
    description: 'Also returns the key with which a browser subscribes (RFC 8292).',
    reply: Type.Object({
      public_key: Type.String({ description: 'Uncompressed P-256 point, in base64url.' }),
      devices: Type.Array(PushDevice),
    }),
  }),
  subscribe: endpoint({
    ...own,
    name: 'push.subscribe',
    method: 'POST',
    path: '/drive/v1/push',
    repeatable: true,
    summary: 'Send notifications to a browser',
    description:
      'Takes the subscription of a browser (RFC 8030, RFC 8291). The same subscription again replaces the earlier one. It ends with the session.',
    body: Type.Object({
      endpoint: Type.String({ maxLength: 1000 }),
      p256dh: Type.String({ maxLength: 100 }),
      auth: Type.String({ maxLength: 40 }),
      with_names: Type.Optional(Type.Boolean()),
    }),
    reply: PushDevice,
    errors: ['invalid_argument', 'too_frequent'],
  }),
  unsubscribe: endpoint({
    ...own,
    name: 'push.unsubscribe',
    method: 'DELETE',
    path: '/drive/v1/push/{id}',
    repeatable: true,
    summary: 'Stop notifications to a browser',
    params: Type.Object({ id: Id }),
    reply: Empty,
  }),
};
