export * from './account.ts';
export * from './admin.ts';
export * from './archive.ts';
export * from './categories.ts';
export * from './check-in.ts';
export * from './clients.ts';
export * from './closing.ts';
export * from './contact.ts';
export { copiedLink } from './copied-link.ts';
export * from './decompress.ts';
export * from './drive.ts';
export * from './endpoint.ts';
export * from './error-words.ts';
export * from './errors.ts';
export * from './event.ts';
export * from './fetch-protocol.ts';
export * from './file.ts';
export * from './gcid.ts';
export * from './happenings.ts';
export { encodeStrictly } from './legacy-text/encode.ts';
export { decodeStrictly, encodingLabelled, LEGACY_ENCODINGS } from './legacy-text/encodings.ts';
export { guessLegacy, legacyReader, legacyText } from './legacy-text/legacy-text.ts';
export type * from './library.ts';
export * from './limits.ts';
export * from './locales.ts';
export { isInfoHash, readMagnet, writeMagnet, type Magnet } from './magnet.ts';
export * from './membership.ts';
export * from './messages.ts';
export * from './names.ts';
export * from './oauth.ts';
export * from './offline.ts';
export * from './order.ts';
export * from './page-services.ts';
export * from './preference.ts';
export * from './scopes.ts';
export * from './security.ts';
export * from './share.ts';
export * from './shield.ts';
export * from './site-document.ts';
export * from './site.ts';
export { sizeUnits } from './size-units.ts';
export * from './subscription.ts';
export * from './takeout.ts';
export * from './task.ts';
export * from './thumbnail-order.ts';
export * from './time.ts';
export * from './unpacking.ts';
export * from './unsubscribe.ts';
export * from './webdav.ts';
export * from './wire.ts';
import { accountApi } from './account.ts';
import { adminApi } from './admin.ts';
import { archiveApi } from './archive.ts';
import { checkInApi } from './check-in.ts';
import { closingApi } from './closing.ts';
import { contactApi } from './contact.ts';
import { decompressApi } from './decompress.ts';
import { driveApi } from './drive.ts';
import type { EndpointSpec } from './endpoint.ts';
import { eventApi } from './event.ts';
import { membershipApi } from './membership.ts';
import { oauthApi } from './oauth.ts';
import { offlineApi } from './offline.ts';
import { preferenceApi } from './preference.ts';
import { securityApi } from './security.ts';
import { shareApi } from './share.ts';
import { shieldApi } from './shield.ts';
import { siteApi } from './site.ts';
import { subscriptionApi } from './subscription.ts';
import { takeoutApi } from './takeout.ts';
import { taskApi } from './task.ts';
import { unsubscribeApi } from './unsubscribe.ts';
import { webdavApi } from './webdav.ts';

/** Every endpoint of the product, in the order of the API reference. */
export const ENDPOINTS: readonly EndpointSpec[] = [
  accountApi,
  securityApi,
  closingApi,
  takeoutApi,
  oauthApi,
  shieldApi,
  preferenceApi,
  unsubscribeApi,
  membershipApi,
  checkInApi,
  driveApi,
  eventApi,
  shareApi,
  archiveApi,
  decompressApi,
  taskApi,
  offlineApi,
  subscriptionApi,
  webdavApi,
  siteApi,
  contactApi,
  adminApi,
].flatMap((api) => Object.values(api));
