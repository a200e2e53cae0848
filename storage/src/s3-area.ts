import type { StagedPart } from './blob-store.ts';
import type { Bucket, Metadata } from './s3-bucket.ts';

// What lies in the bucket (docs/formats/storage-in-a-bucket.md):
//
//   staged/<upload id>                        the upload holds an area; empty
//   discarding/<upload id>                    the upload is being forgotten; empty
//   segments/<upload id>/<number>/<version>   a part, staged or kept: it never moves
//   segments/<upload id>/keeping              the keys that parts are, or are about to be, kept under, one a line
//   kept/<key>                                small bytes, or (metadata `upload` and `size`) the manifest of a blob

/** A part in an object of its own, which never changes. */
export interface PartObject extends StagedPart {
  readonly name: string;
}

/** The segments of a kept blob; names are relative to `segments/<upload>/`. */
export interface Manifest {
  readonly format: 1;
  readonly upload: string;
  readonly size: number;
  readonly segments: readonly { readonly name: string; readonly size: number }[];
}

/** State of an upload's area. */
export interface AreaView {
  readonly parts: readonly PartObject[];
  readonly keeping: boolean;
  readonly discarding: boolean;
}

export const keptName = (key: string) => `kept/${key}`;
export const markerName = (uploadId: string) => `staged/${uploadId}`;
export const segmentsOf = (uploadId: string) => `segments/${uploadId}/`;
export const keepingName = (uploadId: string) => `${segmentsOf(uploadId)}keeping`;
export const discardingName = (uploadId: string) => `discarding/${uploadId}`;
// Padded, so that a listing of one number is not one of others too, and comes in order.
export const versionsOf = (uploadId: string, number: number) =>
  `${segmentsOf(uploadId)}${String(number).padStart(5, '0')}/`;

export function parsePart(uploadId: string, name: string, size: number): PartObject | null {
  const [, number, version] =
    /^(\d{5})\/(\d+-[a-z0-9]+)$/.exec(name.slice(segmentsOf(uploadId).length)) ?? [];
  return version === undefined ? null : { number: Number(number), version, size, name };
}

export async function viewArea(bucket: Bucket, uploadId: string): Promise<AreaView> {
  const [found, discarding] = await Promise.all([
    Array.fromAsync(bucket.list(segmentsOf(uploadId))),
    bucket.head(discardingName(uploadId)),
  ]);
  return {
    parts: found.flatMap(({ name, size }) => parsePart(uploadId, name, size) ?? []),
    keeping: found.some(({ name }) => name === keepingName(uploadId)),
    discarding: discarding !== null,
  };
}

export async function versionsOfPart(
  bucket: Bucket,
  uploadId: string,
  number: number,
): Promise<PartObject[]> {
  const found = await Array.fromAsync(bucket.list(versionsOf(uploadId, number)));
  return found.flatMap(({ name, size }) => parsePart(uploadId, name, size) ?? []);
}

export function manifestOf(upload: string, size: number, parts: readonly PartObject[]): Manifest {
  const from = segmentsOf(upload).length;
  return {
    format: 1,
    upload,
    size,
    segments: parts.map((part) => ({ name: part.name.slice(from), size: part.size })),
  };
}

/** Tells a manifest from small bytes, and the size of its blob, without reading it. */
export function metadataOf(upload: string, size: number): Metadata {
  return { upload, size: String(size) };
}

/** The keys that the flag names: more than one where the area was used again after a keep, or a keep broke off. */
export async function flaggedKeys(
  bucket: Bucket,
  uploadId: string,
  { keeping }: Pick<AreaView, 'keeping'>,
): Promise<string[]> {
  const flag = keeping ? await bucket.read(keepingName(uploadId)) : null;
  return flag ? flag.bytes.toString().split('\n').filter(Boolean) : [];
}

/** The parts of this upload that blobs under these keys are made of, by name: they are no longer the upload's to forget. */
export async function partsUnder(
  bucket: Bucket,
  uploadId: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  const names = await Promise.all(
    keys.map(async (key) => {
      const kept = await bucket.read(keptName(key));
      if (kept?.metadata['upload'] !== uploadId) return [];
      const { segments } = JSON.parse(kept.bytes.toString()) as Manifest;
      // An empty blob has no parts, but is as kept as any other.
      return [keepingName(uploadId), ...segments.map(({ name }) => segmentsOf(uploadId) + name)];
    }),
  );
  return new Set(names.flat());
}

/** As {@link partsUnder}, of all keys that the flag names. */
export async function keptParts(
  bucket: Bucket,
  uploadId: string,
  view: AreaView,
): Promise<ReadonlySet<string>> {
  return partsUnder(bucket, uploadId, await flaggedKeys(bucket, uploadId, view));
}

/**
 * True if writes still count. The flag is checked first: it is removed last, after the marker. So of a part that
 * lands and a discard at once, either the discard sees the part or the part's writer sees the discard.
 */
export async function isOpen(bucket: Bucket, uploadId: string): Promise<boolean> {
  if (await bucket.head(discardingName(uploadId))) return false;
  return (await bucket.head(markerName(uploadId))) !== null;
}

/**
 * Deletes an upload except for its kept parts. The flag is raised before the area is inspected, as keep() raises its
 * own before it looks: of a keep and a discard at once, at least one sees the other.
 */
export async function forgetArea(bucket: Bucket, uploadId: string): Promise<void> {
  await bucket.put(discardingName(uploadId), new Uint8Array());
  const view = await viewArea(bucket, uploadId);
  const kept = await keptParts(bucket, uploadId, view);
  await dropParts(bucket, view, kept);
  await bucket.abortSends(segmentsOf(uploadId));
  if (view.keeping && kept.size === 0) await bucket.remove(keepingName(uploadId));
  await bucket.remove(markerName(uploadId));
  await bucket.remove(discardingName(uploadId));
}

/**
 * Closes the area of an upload whose bytes are under their key now; `kept` are those of its parts that they are made of.
 * Raises no flag: no other call has to yield to it.
 */
export async function closeArea(
  bucket: Bucket,
  uploadId: string,
  view: AreaView,
  kept: ReadonlySet<string>,
): Promise<void> {
  await dropParts(bucket, view, kept);
  await bucket.remove(markerName(uploadId));
  // What landed since, and what landed for nothing.
  await dropParts(bucket, await viewArea(bucket, uploadId), kept);
  await bucket.abortSends(segmentsOf(uploadId));
  if (view.keeping && kept.size === 0) await bucket.remove(keepingName(uploadId));
}

async function dropParts(bucket: Bucket, { parts }: AreaView, kept: ReadonlySet<string>): Promise<void> {
  await bucket.removeAll(parts.map(({ name }) => name).filter((name) => !kept.has(name)));
}
