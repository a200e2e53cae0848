export { createApi, forgetReplays, type Api, type Call, type Handler } from './api.ts';
export { contentDisposition } from './content-disposition.ts';
export { envelope, failureOf, RETRY_AFTER_FULL } from './failure.ts';
export type { Asked, Gate } from './gate.ts';
export { headerText } from './header-text.ts';
export { mountPages, mountSourcePages } from './pages.ts';
export { createHttp, mountApi, type HttpOptions } from './server.ts';
export { answerUnclaimed } from './unclaimed.ts';
export type { Caller, CookieOptions, Member, Secrets, Viewer } from './viewer.ts';
