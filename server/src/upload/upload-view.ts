import { LIMITS, type File, type UploadTicket } from '@bowerbird/contract';
import { FILE, fileView, type Links, type NodeRow } from '../drive/index.ts';
import { timeText } from '../foundation/index.ts';
import { BUCKET, type UploadRow } from './upload.ts';

/** File whose bytes are still arriving. */
export function pendingView(upload: UploadRow, context: { links: Links; origin: string }): File {
  const node: NodeRow = {
    id: upload.id,
    account: upload.account,
    parent: upload.parent,
    kind: FILE,
    name: upload.name,
    name_fold: upload.name.normalize('NFC'),
    name_key: '',
    type_key: '',
    size: upload.size,
    file_count: 0,
    folder_count: 0,
    blob: null,
    created_at: upload.createdAt,
    modified_at: upload.modifiedAt ?? upload.createdAt,
    trashed_at: null,
    starred_at: null,
    origin: null,
    gcid: upload.announcedHash || null,
    sha1: null,
    md5: null,
    quarantined_at: null,
  };
  return fileView(node, { ...context, rootId: upload.account }, 'PHASE_TYPE_PENDING');
}

/** Data that a client needs to send the bytes. The credentials are for this object only. */
export function ticketView(
  upload: UploadRow,
  credentials: { secret: string; securityToken: string },
  endpoint: string,
): UploadTicket {
  return {
    kind: 'drive#resumable',
    provider: 'PROVIDER_ALIYUN',
    params: {
      access_key_id: upload.id,
      access_key_secret: credentials.secret,
      security_token: credentials.securityToken,
      bucket: BUCKET,
      endpoint,
      key: upload.id,
      expiration: timeText(upload.createdAt + LIMITS.uploadTicketSeconds * 1000),
    },
  };
}
