import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { FolderId, Id, Time } from '../wire.ts';

const ArchiveLink = Type.Object({ url: Type.String(), expire: Time });

export const archiveApi = {
  pack: endpoint({
    name: 'archive.pack',
    method: 'POST',
    path: '/drive/v1/files:archive',
    host: 'drive',
    credentials: 'required',
    summary: 'Create a zip download link',
    description: 'The link downloads files and folders as one zip, which is streamed while it is created.',
    body: Type.Object({
      ids: Type.Optional(Type.Array(Id)),
      all_in: Type.Optional(FolderId),
      except_ids: Type.Optional(Type.Array(Id)),
    }),
    reply: ArchiveLink,
    errors: ['file_not_found', 'operating_file_count_exceeded', 'traffic_download_limit'],
  }),
  packShare: endpoint({
    name: 'archive.packShare',
    method: 'POST',
    path: '/drive/v1/share:archive',
    host: 'drive',
    credentials: 'optional',
    captcha: true,
    summary: 'Create a zip download link for a share',
    description: 'The link downloads items in the share as one zip.',
    body: Type.Object({
      share_id: Id,
      pass_code_token: Type.Optional(Type.String()),
      file_ids: Type.Optional(Type.Array(Id)),
    }),
    reply: Type.Object({ share_status: Type.String(), url: Type.String(), expire: Time }),
    errors: ['file_not_found', 'traffic_shared_limit'],
  }),
};
