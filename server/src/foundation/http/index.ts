export { createApi, type Api, type Call, type Handler } from './api.ts';
export { isBrokenConnection } from './broken-connection.ts';
export { attachment, contentDisposition } from './content-disposition.ts';
export { entityTag } from './entity-tag.ts';
export { envelope, failureOf, RETRY_AFTER_FULL } from './failure.ts';
export type { Asked, Gate } from './gate.ts';
export { headerText } from './header-text.ts';
export { oauthDescription } from './oauth-refusal.ts';
export type { UnderKey } from './once.ts';
export { forgetReplays } from './replays.ts';
export { mountPages, mountSourcePages } from './pages.ts';
export { createHttp, mountApi, type HttpOptions } from './server.ts';
export { answerUnclaimed } from './unclaimed.ts';
export {
  memberOf,
  type Caller,
  type CookieOptions,
  type Member,
  type Secrets,
  type Viewer,
} from './viewer.ts';
