import Type, { type Static } from 'typebox';
import { endpoint } from './endpoint.ts';
import { LIMITS } from './limits.ts';
import { SIGNED_IN } from './scopes.ts';
import { Id, MaybeTime, Time } from './wire.ts';

/** A program that can connect over WebDAV: an app password with the scope `dav`. Never includes its secret. */
export const DavApplication = Type.Object({
  id: Id,
  application_name: Type.String(),
  /** User name to sign in with. */
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
    summary: 'Get WebDAV access',
    description: 'Returns whether WebDAV is on, its address, and the programs that can connect.',
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
    summary: 'Connect a program over WebDAV',
    description: 'Creates an app password. Requires the password of the account.',
    body: Type.Object({
      application_name: Type.String({ maxLength: 256 }),
      password: Type.String({ maxLength: LIMITS.passwordMax }),
    }),
    reply: Type.Object({
      application: DavApplication,
      username: Type.String(),
      /** Shown only in this response. */
      password: Type.String(),
    }),
    errors: ['invalid_password', 'account_locked_retry', 'account_locked', 'account_limit'],
  }),
  remove: endpoint({
    ...own,
    name: 'webdav.remove',
    method: 'DELETE',
    path: '/webdav/v1/application',
    summary: "Revoke a program's WebDAV access",
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
    summary: 'Turn WebDAV on or off',
    description: 'App passwords are kept.',
    body: Type.Object({ enable: Type.Boolean() }),
    reply: Type.Object({ enable: Type.Boolean() }),
  }),
};
