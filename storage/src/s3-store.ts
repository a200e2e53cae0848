import { S3Client } from '@aws-sdk/client-s3';
import { resolveRange, sliceSegments, streamSlices } from './byte-stream.ts';
import { checkKey, checkUploadId } from './names.ts';
import { discardingName, forgetArea, keptName, markerName, segmentsOf } from './s3-area.ts';
import { createBucket, tell } from './s3-bucket.ts';
import { S3_LIMITS, type S3Limits } from './s3-limits.ts';
import { createS3Staging } from './s3-staging.ts';
import { pipeStream } from './pipe.ts';
import { createSerial } from './serial.ts';
import { BlobDamaged, BlobNotFound, KeyTaken } from './storage-errors.ts';
import type { BlobStore } from './blob-store.ts';
import type { ReadSlice, Segment } from './byte-stream.ts';
import type { Manifest } from './s3-area.ts';
import type { Bucket } from './s3-bucket.ts';

export interface S3Place {
  readonly client: S3Client;
  readonly bucket: string;
  /** Prefix of all object names: '' or ends with a slash. */
  readonly prefix: string;
  readonly limits: S3Limits;
}

const resumptions = 3;
const headsAtOnce = 32;

/**
 * Stores bytes in a bucket of an S3 service. The bucket is created if it doesn't exist, unless `create` is false: then
 * rejects with StorageMissing. Closing the store closes the client.
 */
export async function openS3Store(
  { client, bucket: bucketName, prefix, limits }: S3Place,
  { create = true, patienceMs }: { create?: boolean; patienceMs?: number } = {},
): Promise<BlobStore> {
  const bucket = createBucket(client, bucketName, prefix, limits.answerMs);
  const serial = createSerial();
  await bucket.prepare(create, patienceMs).catch((error: unknown) => {
    client.destroy();
    throw error;
  });

  return {
    capabilities: { reach: 'network', durable: true },
    async stage(uploadId) {
      checkUploadId(uploadId);
      await bucket.put(markerName(uploadId), new Uint8Array());
      return createS3Staging(bucket, serial, uploadId);
    },
    async discard(uploadId) {
      checkUploadId(uploadId);
      await serial(uploadId, () => forgetArea(bucket, uploadId));
    },
    async *staged() {
      const seen = new Set<string>();
      // A discard that was killed at the very end has left only its own marker.
      for (const start of [markerName(''), discardingName('')]) {
        for await (const { name, modifiedAt } of bucket.list(start)) {
          const uploadId = name.slice(start.length);
          if (seen.has(uploadId)) continue;
          seen.add(uploadId);
          yield { uploadId, modifiedAt };
        }
      }
    },
    async put(key, bytes) {
      checkKey(key);
      if ((await bucket.head(keptName(key)))?.metadata['upload']) throw new KeyTaken(key);
      await bucket.put(keptName(key), bytes);
    },
    async open(key, range) {
      checkKey(key);
      const found = await bucket.read(keptName(key));
      if (!found) throw new BlobNotFound(key);
      const { bytes, metadata } = found;
      const upload = metadata['upload'];
      if (!upload) {
        const { start, length } = resolveRange(bytes.length, range);
        const slices = sliceSegments([{ name: key, size: bytes.length }], start, length);
        const stream = streamSlices(key, slices, async function* ({ start, length }) {
          yield bytes.subarray(start, start + length);
        });
        return { size: bytes.length, length, stream, pipeTo: (sink) => pipeStream(stream, sink) };
      }
      const { size, segments } = parseManifest(key, bytes);
      const { start, length } = resolveRange(size, range);
      const named = segments.map((segment): Segment => ({
        ...segment,
        name: segmentsOf(upload) + segment.name,
      }));
      const slices = sliceSegments(named, start, length);
      const stream = streamSlices(key, slices, readObjectSlices(bucket, key, limits));
      return { size, length, stream, pipeTo: (sink) => pipeStream(stream, sink) };
    },
    async stat(key) {
      checkKey(key);
      const found = await bucket.head(keptName(key));
      // The response does not distinguish a missing object from a missing bucket.
      if (!found) await bucket.check();
      return found && { size: Number(found.metadata['size'] ?? found.size) };
    },
    async remove(key) {
      checkKey(key);
      const upload = (await bucket.head(keptName(key)))?.metadata['upload'];
      // From here on, its parts count as a staged upload again, so that a collector finds them if the removal is
      // interrupted.
      if (upload) await bucket.put(markerName(upload), new Uint8Array());
      await bucket.remove(keptName(key));
      if (upload) await serial(upload, () => forgetArea(bucket, upload));
    },
    async *list(prefix) {
      let waiting: Promise<{ key: string; size: number; modifiedAt: Date } | null>[] = [];
      for await (const { name } of bucket.list(keptName(prefix))) {
        waiting.push(describe(bucket, name));
        if (waiting.length < headsAtOnce) continue;
        yield* (await Promise.all(waiting)).filter((blob) => blob !== null);
        waiting = [];
      }
      yield* (await Promise.all(waiting)).filter((blob) => blob !== null);
    },
    health: () => bucket.check(),
    async freeSpace() {
      return null;
    },
    async close() {
      client.destroy();
    },
  };
}

/** A listing contains the size of a manifest, not of its blob. */
async function describe(bucket: Bucket, name: string) {
  const found = await bucket.head(name);
  if (!found) return null;
  const size = Number(found.metadata['size'] ?? found.size);
  return { key: name.slice(keptName('').length), size, modifiedAt: found.modifiedAt };
}

function parseManifest(key: string, bytes: Buffer): Manifest {
  try {
    const manifest = JSON.parse(bytes.toString()) as Manifest;
    if (manifest.format === 1) return manifest;
  } catch (error) {
    throw new BlobDamaged(key, 'its manifest is not readable', { cause: error });
  }
  throw new BlobDamaged(key, 'its manifest has an unknown format');
}

/** Reads objects, resuming after lost connections: a service may close one that is idle because of a slow reader. */
function readObjectSlices(bucket: Bucket, key: string, { answerMs }: S3Limits): ReadSlice {
  return async function* ({ name, start, length }, stop) {
    let done = 0;
    let failures = 0;
    let failingSince = 0;
    while (done < length) {
      const before = done;
      try {
        const body = await bucket.readFrom(name, start + done, length - done, stop);
        if (!body) throw new BlobDamaged(key, `segment ${name} is missing or too short`);
        for await (const chunk of body) {
          done += (chunk as Uint8Array).byteLength;
          yield chunk as Uint8Array;
        }
        if (done === before) throw new BlobDamaged(key, `segment ${name} is too short`);
      } catch (error) {
        failures = done > before ? 1 : failures + 1;
        if (failures === 1) failingSince = performance.now();
        const isOver = failures > resumptions || performance.now() - failingSince > answerMs;
        if (stop.aborted || isOver) tell(error);
        if (error instanceof BlobDamaged) throw error;
      }
    }
  };
}

/**
 * A client for `s3://key:secret@host:port/bucket/prefix?region=…&tls=0|1&pathStyle=0|1`. Without key and secret, the
 * environment's own credentials are used. Unless set otherwise, TLS is on and the bucket is in the path (for AWS, in
 * the host).
 */
export function s3PlaceOf(url: URL, limits = S3_LIMITS): S3Place {
  const [bucket, ...folders] = url.pathname.split('/').filter(Boolean).map(decodeURIComponent);
  if (!bucket || !url.hostname)
    throw new TypeError('An s3 address must contain a host and a bucket: s3://host/bucket');
  const { searchParams: options } = url;
  const secure = options.get('tls') !== '0';
  const isAws = /\.amazonaws\.com(\.cn)?$/.test(url.hostname);
  const client = new S3Client({
    endpoint: `${secure ? 'https' : 'http'}://${url.host}`,
    region: options.get('region') ?? 'us-east-1',
    forcePathStyle: (options.get('pathStyle') ?? (isAws ? '0' : '1')) === '1',
    ...(url.username && {
      credentials: {
        accessKeyId: decodeURIComponent(url.username),
        secretAccessKey: decodeURIComponent(url.password),
      },
    }),
    // Otherwise, bodies are sent with trailing checksums in chunked framing, which many services store as content.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    maxAttempts: limits.attempts,
    requestHandler: {
      connectionTimeout: limits.connectMs,
      socketTimeout: limits.idleMs,
      // Each download needs one socket until it ends.
      httpAgent: { maxSockets: 512, keepAlive: true },
      httpsAgent: { maxSockets: 512, keepAlive: true },
      socketAcquisitionWarningTimeout: 30_000,
    },
  });
  return { client, bucket, prefix: folders.map((folder) => `${folder}/`).join(''), limits };
}
