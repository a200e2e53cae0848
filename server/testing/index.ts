export { eachDatabase, freshPostgres } from './databases.ts';
export { openTestApp, turnableClock, type TestApp, type TurnableClock } from './test-app.ts';
export { bytes, LOOPBACK_ALLOWED, openOrigin, slowly, type Answer, type Origin } from './origin.ts';
export { sharedApps } from './shared-app.ts';
export { realServer, type RealServer } from './real-server.ts';
export { PASSWORD, person, signIn, type Member, type Person } from './member.ts';
export { codeIn, mailServer } from './mail-server.ts';
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
export { visitorAt } from './visitor.ts';
export { faultyStorage, type Faults } from './faulty-storage.ts';
export {
  askTicket,
  completionDocument,
  objectClient,
  objectReply,
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
