import Type from 'typebox';
import { endpoint } from '../endpoint.ts';
import { LIMITS } from '../limits.ts';
import { FolderId, LooseSize } from '../wire.ts';
import { ConflictMode } from './conflict.ts';

/** Size in bytes that the descriptions of the files may have, in addition to their contents. */
const DESCRIPTIONS_MAX = 256 * 1024;

export const uploadBatchApi = {
  uploadMany: endpoint({
    name: 'drive.uploadMany',
    method: 'POST',
    path: '/drive/v1/files:batchUpload',
    host: 'drive',
    credentials: 'required',
    summary: 'Upload small files',
    description: `Uploads up to ${LIMITS.uploadBatch} files of up to ${LIMITS.uploadBatchFileBytes} bytes in one request. The contents of the files follow the body, in the order of \`files\`. Each file succeeds or fails by itself: all files are complete and durable when the call succeeds, except those with an \`error\`.`,
    bytes: true,
    bodyLimit: LIMITS.uploadBatchBytes + DESCRIPTIONS_MAX,
    body: Type.Object({
      files: Type.Array(
        Type.Object({
          parent_id: Type.Optional(FolderId),
          name: Type.String(),
          size: LooseSize,
          conflict: Type.Optional(ConflictMode),
          user_modified_time: Type.Optional(Type.String({ description: 'Date of the content.' })),
        }),
        { minItems: 1, maxItems: LIMITS.uploadBatch },
      ),
    }),
    reply: Type.Object({
      results: Type.Array(
        Type.Object({
          id: Type.String({ description: 'ID of the file. `""` after an error.' }),
          name: Type.String({ description: 'Name of the file, which has a number if the name was taken.' }),
          error: Type.String({ description: 'Identifier of the error. `""` after success.' }),
          error_description: Type.String(),
        }),
        { description: 'One for each file, in the order of the request.' },
      ),
    }),
    errors: ['upload_size_mismatch', 'disk_full'],
  }),
};
