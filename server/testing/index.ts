export { batchBody, batchRequest, type BatchReply, type SmallFile } from './batch-uploading.ts';
export { visitingApp, type VisitingApp } from './apps.ts';
export { eachDatabase, freshPostgres, sqliteLock } from './databases.ts';
export { openTestApp, turnableClock, type TestApp, type TurnableClock } from './test-app.ts';
export { bytes, LOOPBACK_ALLOWED, openOrigin, slowly, type Answer, type Origin } from './origin.ts';
export { knowing, openOpenidProvider, type OpenidProvider } from './openid-provider.ts';
export { sharedApps } from './shared-app.ts';
export { ownPostgres, type OwnPostgres } from './own-postgres.ts';
export { helperProgram, serverProgram } from './server-program.ts';
export { processEnvironment } from './process-environment.ts';
export { callTo, realServer, type RealServer, type RemoteCall } from './real-server.ts';
export { childrenOf, serverGroup, type Connected, type ServerGroup } from './server-group.ts';
export { growHazards } from './hazards.ts';
export { writeAccount } from './account-row.ts';
export { PASSWORD, person, signIn, type Member, type Person } from './member.ts';
export { captchaHeaders, captchaTold, signedMeta, withCaptcha } from './captcha.ts';
export { codeIn, mailServer } from './mail-server.ts';
export { renewingApp } from './stripe/renewing-app.ts';
export { stripeObjects, stripeServer, stripeSignature, type StripeSession } from './stripe/stripe-server.ts';
export { smsServer, type ReceivedSms } from './sms-server.ts';
export { grantBenefit, runJob } from './membership.ts';
export { plant, type Ground, type Tree } from './planting.ts';
export {
  basic,
  davClient,
  drivenByAnn,
  expectWhole,
  LOCK_INFO,
  plainText,
  type DavClient,
  type DavReply,
} from './dav-client.ts';
export { readLive, type LiveReader } from './live-reader.ts';
export { visitorAt } from './visitor.ts';
export {
  faultyStorage,
  newFaultyStorage,
  STORAGE_ENGINES,
  type Faults,
  type NewFaultyStorage,
} from './faulty-storage.ts';
export {
  askTicket,
  completionDocument,
  objectClient,
  objectReply,
  signOss,
  signOssV4,
  signV4,
  upload,
  type ObjectClient,
  type ObjectReply,
} from './uploading.ts';
export { makeTorrent, type MadeTorrent } from './torrent.ts';
export {
  contentOf,
  eventually,
  fetchLink,
  looked,
  offlineTasks,
  taskComplete,
  taskUntil,
  usage,
} from './fetching.ts';
export { forest, growForest, SAPLING_SIZE, type Sapling } from './forest.ts';
export { SHARED_NAMES, shareOfAnn, shareStatus, type Shared } from './sharing.ts';
