export * from './account/account.ts';
export * from './membership/activity.ts';
export * from './admin/admin.ts';
export * from './admin/admin-membership.ts';
export * from './archive/archive.ts';
export { COLORS, labelText, type Color } from './drive/annotation.ts';
export * from './drive/categories.ts';
export * from './membership/check-in.ts';
export * from './site/clients.ts';
export * from './membership/code.ts';
export * from './account/closing.ts';
export * from './contact.ts';
export { copiedLink } from './share/copied-link.ts';
export * from './archive/decompress.ts';
export * from './drive/drive.ts';
export * from './endpoint.ts';
export * from './language/error-words.ts';
export * from './errors.ts';
export * from './drive/event.ts';
export * from './drive/recent.ts';
export * from './drive/resume.ts';
export * from './offline/fetch-protocol.ts';
export * from './drive/file.ts';
export * from './drive/gcid.ts';
export * from './site/happenings.ts';
export { encodeStrictly } from './legacy-text/encode.ts';
export { decodeStrictly, encodingLabelled, LEGACY_ENCODINGS } from './legacy-text/encodings.ts';
export { guessLegacy, legacyReader, legacyText } from './legacy-text/legacy-text.ts';
export type * from './site/library.ts';
export * from './limits.ts';
export * from './membership/invite.ts';
export { inviteCodeIn } from './membership/invite-code.ts';
export * from './membership/invoice-sheet.ts';
export * from './membership/ledger.ts';
export { jpegSize, PICTURE_HEAD_BYTES, pictureFacts, type PictureFacts } from './picture/picture-facts.ts';
export * from './live.ts';
export * from './language/locales.ts';
export { isInfoHash, readMagnet, writeMagnet, type Magnet } from './offline/magnet.ts';
export * from './membership/membership.ts';
export * from './language/messages.ts';
export * from './drive/names.ts';
export * from './oauth/oauth.ts';
export * from './offline/offline.ts';
export * from './drive/order.ts';
export * from './drive/people.ts';
export * from './membership/order.ts';
export * from './site/page-services.ts';
export * from './account/preference.ts';
export * from './membership/price.ts';
export * from './membership/promoting.ts';
export * from './membership/renewal.ts';
export type { Renaming } from './drive/renaming.ts';
export * from './membership/status.ts';
export { frozenList, replyText } from './reply-text.ts';
export * from './scopes.ts';
export { SEARCH_PLACES, SearchHit } from './drive/search.ts';
export * from './drive/search-query.ts';
export * from './security/security.ts';
export * from './share/share.ts';
export * from './shield.ts';
export * from './site/site-document.ts';
export * from './site/site.ts';
export { formatSize, sizeUnits } from './language/size-units.ts';
export * from './subscription.ts';
export * from './push.ts';
export * from './takeout.ts';
export * from './task.ts';
export type { Choice, Conditions } from './drive/selecting.ts';
export { Note } from './drive/note.ts';
export { Pin } from './drive/pin.ts';
export { Tag } from './drive/tag.ts';
export * from './drive/thumbnail-order.ts';
export { Version, VERSION_CAUSES, type VersionCause } from './drive/version.ts';
export * from './time.ts';
export * from './archive/unpacking.ts';
export * from './account/unsubscribe.ts';
export * from './webdav.ts';
export * from './wire.ts';
import { accountApi } from './account/account.ts';
import { activityApi } from './membership/activity.ts';
import { adminApi } from './admin/admin.ts';
import { adminMembershipApi } from './admin/admin-membership.ts';
import { archiveApi } from './archive/archive.ts';
import { checkInApi } from './membership/check-in.ts';
import { closingApi } from './account/closing.ts';
import { codeApi } from './membership/code.ts';
import { contactApi } from './contact.ts';
import { decompressApi } from './archive/decompress.ts';
import { driveApi } from './drive/drive.ts';
import type { EndpointSpec } from './endpoint.ts';
import { eventApi } from './drive/event.ts';
import { recentApi } from './drive/recent.ts';
import { inviteApi } from './membership/invite.ts';
import { statusApi } from './membership/status.ts';
import { ledgerApi } from './membership/ledger.ts';
import { membershipApi } from './membership/membership.ts';
import { oauthApi } from './oauth/oauth.ts';
import { offlineApi } from './offline/offline.ts';
import { orderApi } from './membership/order.ts';
import { renewalApi } from './membership/renewal.ts';
import { peopleApi } from './drive/people.ts';
import { preferenceApi } from './account/preference.ts';
import { promotingApi } from './membership/promoting.ts';
import { securityApi } from './security/security.ts';
import { shareApi } from './share/share.ts';
import { shieldApi } from './shield.ts';
import { siteApi } from './site/site.ts';
import { subscriptionApi } from './subscription.ts';
import { pushApi } from './push.ts';
import { takeoutApi } from './takeout.ts';
import { taskApi } from './task.ts';
import { unsubscribeApi } from './account/unsubscribe.ts';
import { webdavApi } from './webdav.ts';

/** Every endpoint of the product, in the order of the API reference. */
export const ENDPOINTS: readonly EndpointSpec[] = [
  accountApi,
  securityApi,
  closingApi,
  takeoutApi,
  pushApi,
  oauthApi,
  shieldApi,
  preferenceApi,
  unsubscribeApi,
  membershipApi,
  statusApi,
  inviteApi,
  promotingApi,
  ledgerApi,
  checkInApi,
  codeApi,
  orderApi,
  renewalApi,
  activityApi,
  driveApi,
  peopleApi,
  eventApi,
  recentApi,
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
  adminMembershipApi,
].flatMap((api) => Object.values(api));
