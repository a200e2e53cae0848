import { driveApi, type InputOf, type ReplyOf } from '@bowerbird/contract';

type Described = InputOf<typeof driveApi.uploadMany>['body']['files'][number];

export interface SmallFile extends Omit<Described, 'size'> {
  readonly bytes: string | Uint8Array;
}

export type BatchReply = ReplyOf<typeof driveApi.uploadMany>;

/** Body of a request that uploads files in one batch, as the web app sends it. */
export function batchBody(files: readonly SmallFile[]): Buffer<ArrayBuffer> {
  const contents = files.map(({ bytes }) => Buffer.from(bytes as string));
  const described = files.map((file, at) => ({ ...file, bytes: undefined, size: contents[at]!.length }));
  return Buffer.concat([Buffer.from(`${JSON.stringify({ files: described })}\n`), ...contents]);
}

/** Request that uploads files in one batch. */
export function batchRequest(files: readonly SmallFile[], key?: string) {
  return {
    method: driveApi.uploadMany.method,
    url: driveApi.uploadMany.path,
    headers: {
      'content-type': 'application/octet-stream',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    payload: batchBody(files),
  };
}
