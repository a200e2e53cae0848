import Type, { type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { SIGNED_IN } from './scopes.ts';
import { Id, MaybeTime, Time } from './wire.ts';

/** A program that may come in over WebDAV: an app password that is good for that. Never its secret. */
export const DavApplication = Type.Object({
  id: Id,
  application_name: Type.String(),
  /** What to give as the name. */
  username: Type.String(),
  create_time: Time,
  expire_time: MaybeTime,
  last_used_time: MaybeTime,
});
export type DavApplication = Static<typeof DavApplication>;

const own = { host: 'dav', credentials: 'required', scope: SIGNED_IN } as const;

export const webdavApi = {
  applications: endpoint({
    ...own,
    name: 'webdav.applications',
    method: 'GET',
    path: '/webdav/v1/applications',
    summary: 'Whether programs may come in over WebDAV, where, and which do',
    reply: Type.Object({
      enable: Type.Boolean(),
      address: Type.String(),
      applications: Type.Array(DavApplication),
    }),
  }),
  create: endpoint({
    ...own,
    name: 'webdav.create',
    method: 'POST',
    path: '/webdav/v1/application',
    secretReply: true,
    summary: 'Let a program in: makes an app password; asks for the password of the account',
    body: Type.Object({
      application_name: Type.String({ maxLength: 256 }),
      password: Type.String({ maxLength: LIMITS.passwordMax }),
    }),
    reply: Type.Object({
      application: DavApplication,
      username: Type.String(),
      /** Shown here and never again. */
      password: Type.String(),
    }),
    errors: ['invalid_password', 'account_locked_retry', 'account_locked', 'account_limit'],
  }),
  remove: endpoint({
    ...own,
    name: 'webdav.remove',
    method: 'DELETE',
    path: '/webdav/v1/application',
    summary: 'Let a program in no longer',
    query: Type.Object({ id: Id }),
    reply: Type.Object({}),
    errors: ['not_found'],
  }),
  toggle: endpoint({
    ...own,
    name: 'webdav.toggle',
    method: 'POST',
    path: '/webdav/v1/toggle-enable',
    repeatable: true,
    summary: 'Open or close the drive for WebDAV; app passwords stay',
    body: Type.Object({ enable: Type.Boolean() }),
    reply: Type.Object({ enable: Type.Boolean() }),
  }),
};
