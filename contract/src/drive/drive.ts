import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { Decimal, LooseSize } from '../wire.ts';
import { batchApi } from './batch.ts';
import { conflictApi } from './conflict.ts';
import { nodeApi } from './node.ts';
import { searchApi } from './search.ts';
import { renamingApi } from './renaming.ts';
import { selectingApi } from './selecting.ts';
import { trashApi } from './trash.ts';
import { uploadBatchApi } from './upload-batch.ts';
import { lookApi } from './look.ts';
import { noteApi } from './note.ts';
import { pinApi } from './pin.ts';
import { tagApi } from './tag.ts';
import { versionApi } from './version.ts';
import { usageApi } from './usage.ts';

export { ConflictMode } from './conflict.ts';
export { USAGE_LISTS, type UsageList } from './usage.ts';
export type { UploadForm, UploadTicket } from './upload-ticket.ts';

export const driveApi = {
  ...nodeApi,
  ...searchApi,
  ...batchApi,
  ...renamingApi,
  ...selectingApi,
  ...trashApi,
  about: endpoint({
    name: 'drive.about',
    method: 'GET',
    path: '/drive/v1/about',
    host: 'drive',
    credentials: 'required',
    summary: 'Get storage quota and usage',
    query: Type.Object({ space: Type.Optional(Type.String()) }),
    reply: Type.Object({
      kind: Type.Literal('drive#about'),
      quota: Type.Object({
        kind: Type.Literal('drive#quota'),
        limit: Decimal,
        usage: Decimal,
        usage_in_trash: Decimal,
        play_times_limit: Decimal,
        play_times_usage: Decimal,
        is_unlimited: Type.Boolean(),
        complimentary: Type.String(),
      }),
      expires_at: Type.String(),
      quotas: Type.Record(Type.String(), Type.Unknown()),
      user_type: Type.Integer(),
      sub: Type.String(),
    }),
  }),
  /** `cid` is defined in docs/formats.md. */
  byCid: endpoint({
    name: 'drive.byCid',
    method: 'GET',
    path: '/drive/v1/resource/cid',
    host: 'drive',
    credentials: 'required',
    summary: 'Look up a gcid by cid',
    description: 'Returns the gcid of content in your own drive by its cid.',
    query: Type.Object({
      cid: Type.Optional(Type.String({ maxLength: 64 })),
      file_size: Type.Optional(LooseSize),
    }),
    reply: Type.Object({ gcid: Type.String({ description: '`""` if the drive has no such content.' }) }),
    errors: ['invalid_argument'],
  }),
  ...conflictApi,
  ...uploadBatchApi,
  ...versionApi,
  ...usageApi,
  ...tagApi,
  ...lookApi,
  ...pinApi,
  ...noteApi,
};
