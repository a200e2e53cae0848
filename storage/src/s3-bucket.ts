import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { Readable } from 'node:stream';
import { answeredWithin } from './s3-limits.ts';
import { StorageError, StorageFull, StorageMissing, StorageUnavailable } from './storage-errors.ts';
import type { S3Client, S3ServiceException } from '@aws-sdk/client-s3';

export type Metadata = Record<string, string>;

export interface ObjectInfo {
  readonly size: number;
  readonly modifiedAt: Date;
  readonly metadata: Metadata;
}

export type Bucket = ReturnType<typeof createBucket>;

// Size of the pieces in which a flow is sent: each is retried separately, so it stays in memory until it has been sent.
const pieceSize = 8 * 1024 * 1024;
const piecesAtOnce = 3;
const removalsAtOnce = 16;
/** Timeout for an unresponsive service at the start. */
const PREPARE_MS = 20_000;

/**
 * The few operations needed of an S3 service, with errors converted to StorageFull and StorageUnavailable. Uses only
 * calls that every such service supports; names are relative to `prefix` in the bucket.
 */
export function createBucket(client: S3Client, bucket: string, prefix: string, answerMs: number) {
  const at = (name: string) => ({ Bucket: bucket, Key: prefix + name });
  /** Sends a small request. */
  const answer = <T>(ask: (abortSignal: AbortSignal) => Promise<T>, stop?: AbortSignal): Promise<T> =>
    answeredWithin(answerMs, ask, stop);
  const nameOf = (objectKey: string | undefined) => (objectKey ?? '').slice(prefix.length);

  const self = {
    /** Makes sure that the bucket exists. Times out early, so that the problem can be reported at the start. */
    async prepare(create: boolean, patienceMs = PREPARE_MS): Promise<void> {
      await answeredWithin(patienceMs, async (abortSignal) => {
        try {
          await client.send(new HeadBucketCommand({ Bucket: bucket }), { abortSignal });
        } catch (error) {
          if (!isAbsent(error)) throw error;
          if (!create) throw new StorageMissing(`there is no bucket ${bucket}`, { cause: error });
          await client.send(new CreateBucketCommand({ Bucket: bucket }), { abortSignal });
        }
      }).catch(tell);
    },

    async check(): Promise<void> {
      const command = new HeadBucketCommand({ Bucket: bucket });
      await answer((abortSignal) => client.send(command, { abortSignal })).catch(tell);
    },

    async head(name: string): Promise<ObjectInfo | null> {
      const command = new HeadObjectCommand(at(name));
      const found = await answer((abortSignal) => client.send(command, { abortSignal })).catch(nullIfAbsent);
      if (!found) return null;
      const { ContentLength = 0, LastModified = new Date(0), Metadata = {} } = found;
      return { size: ContentLength, modifiedAt: LastModified, metadata: Metadata };
    },

    /** Reads a small object as a whole. */
    async read(name: string): Promise<{ bytes: Buffer; metadata: Metadata } | null> {
      const command = new GetObjectCommand(at(name));
      const found = await answer((abortSignal) => client.send(command, { abortSignal })).catch(nullIfAbsent);
      if (!found) return null;
      const bytes = Buffer.concat(await Array.fromAsync(found.Body as Readable).catch(tell));
      return { bytes, metadata: found.Metadata ?? {} };
    },

    /** Part of an object; null if it doesn't exist, or if the range begins beyond its end. */
    async readFrom(name: string, start: number, length: number, stop: AbortSignal): Promise<Readable | null> {
      const command = new GetObjectCommand({ ...at(name), Range: `bytes=${start}-${start + length - 1}` });
      const found = await answer((abortSignal) => client.send(command, { abortSignal }), stop).catch(
        (error: unknown) => (statusOf(error) === 416 ? null : nullIfAbsent(error)),
      );
      return found && (found.Body as Readable);
    },

    /** False if `onlyNew` was set and the object already exists. */
    async put(name: string, bytes: Uint8Array, metadata: Metadata = {}, onlyNew = false): Promise<boolean> {
      const object = { ...at(name), Body: bytes, ContentLength: bytes.byteLength, Metadata: metadata };
      try {
        const command = new PutObjectCommand(onlyNew ? { ...object, IfNoneMatch: '*' } : object);
        await answer((abortSignal) => client.send(command, { abortSignal }));
        return true;
      } catch (error) {
        const status = statusOf(error);
        if (onlyNew && (status === 412 || status === 409)) return false;
        // Some services don't support conditions. The caller has just checked, which is the best that they allow.
        if (onlyNew && status === 501) return self.put(name, bytes, metadata);
        return tell(error);
      }
    },

    /**
     * Sends a flow of any length. Nothing is visible under the name until all of it has been sent. Errors of the flow
     * are passed on unchanged.
     */
    async send(name: string, flow: AsyncIterable<Uint8Array>): Promise<number> {
      let size = 0;
      let failure: { error: unknown } | undefined;
      async function* watched() {
        try {
          for await (const chunk of flow) {
            size += chunk.byteLength;
            yield chunk;
          }
        } catch (error) {
          failure = { error };
          throw error;
        }
      }
      const upload = new Upload({
        client,
        params: { ...at(name), Body: Readable.from(watched()) },
        partSize: pieceSize,
        queueSize: piecesAtOnce,
      });
      await upload.done().catch((error: unknown) => {
        if (failure) throw failure.error;
        tell(error);
      });
      return size;
    },

    /**
     * Sets an object's modifiedAt to the current time; false if it doesn't exist. Copies the object onto itself, so
     * only for small ones.
     */
    async touch(name: string, metadata: Metadata): Promise<boolean> {
      const source = `${bucket}/${prefix}${name}`.split('/').map(encodeURIComponent).join('/');
      const command = new CopyObjectCommand({
        ...at(name),
        CopySource: source,
        MetadataDirective: 'REPLACE',
        Metadata: metadata,
      });
      const copied = await answer((abortSignal) => client.send(command, { abortSignal })).catch(nullIfAbsent);
      return copied !== null;
    },

    async remove(name: string): Promise<void> {
      const command = new DeleteObjectCommand(at(name));
      await answer((abortSignal) => client.send(command, { abortSignal })).catch(nullIfAbsent);
    },

    /** One at a time: not every service supports removing several objects in one call. */
    async removeAll(names: readonly string[]): Promise<void> {
      for (let next = 0; next < names.length; next += removalsAtOnce) {
        await Promise.all(names.slice(next, next + removalsAtOnce).map(self.remove));
      }
    },

    async *list(
      start: string,
    ): AsyncGenerator<{ name: string; size: number; modifiedAt: Date }, void, undefined> {
      let token: string | undefined;
      do {
        const command = new ListObjectsV2Command({
          Bucket: bucket,
          Prefix: prefix + start,
          ContinuationToken: token,
        });
        const page = await answer((abortSignal) => client.send(command, { abortSignal })).catch(tell);
        for (const { Key, Size = 0, LastModified = new Date(0) } of page.Contents ?? []) {
          yield { name: nameOf(Key), size: Size, modifiedAt: LastModified };
        }
        token = page.IsTruncated ? page.NextContinuationToken : undefined;
      } while (token);
    },

    /** Releases the bytes of interrupted uploads. */
    async abortSends(start: string): Promise<void> {
      for (;;) {
        const command = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix + start });
        const { Uploads = [], IsTruncated } = await answer((abortSignal) =>
          client.send(command, { abortSignal }),
        ).catch(tell);
        for (const { Key, UploadId } of Uploads) {
          const abort = new AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId });
          await answer((abortSignal) => client.send(abort, { abortSignal })).catch(nullIfAbsent);
        }
        if (!IsTruncated || Uploads.length === 0) return;
      }
    },
  };
  return self;
}

function statusOf(error: unknown): number | undefined {
  return (error as S3ServiceException | undefined)?.$metadata?.httpStatusCode;
}

function isAbsent(error: unknown): boolean {
  return statusOf(error) === 404 && (error as Error).name !== 'NoSuchBucket';
}

function nullIfAbsent(error: unknown): null {
  if (isAbsent(error)) return null;
  return tell(error);
}

const fullNames = new Set([
  'QuotaExceeded',
  'XMinioStorageFull',
  'InsufficientStorage',
  'InsufficientCapacity',
]);

/** Converts an error to one of this package's errors. */
export function tell(error: unknown): never {
  if (error instanceof StorageError) throw error;
  const { name, message } = error as Error;
  if (statusOf(error) === 507 || fullNames.has(name)) throw new StorageFull({ cause: error });
  throw new StorageUnavailable(`${name}: ${message}`, { cause: error });
}
