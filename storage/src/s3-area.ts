import type { StagedPart } from './blob-store.ts';
import type { Bucket, Metadata } from './s3-bucket.ts';

// Layout of the bucket (docs/formats/storage-in-a-bucket.md):
//
//   staged/<upload id>                        marker of an upload that has an area; empty
//   discarding/<upload id>                    flag of an upload that is being discarded; empty
//   segments/<upload id>/<number>/<version>   a part, staged or kept: it never moves
//   segments/<upload id>/keeping              flag: the keys under which parts are or will be kept, one per line
//   kept/<key>                                small bytes, or (metadata `upload` and `size`) the manifest of a blob

/** A part in its own object, which never changes. */
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
// Padded, so that listing one number doesn't include others, and the listing is ordered.
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

/** Metadata that distinguishes a manifest from small bytes, and gives the size of its blob, without reading it. */
export function metadataOf(upload: string, size: number): Metadata {
  return { upload, size: String(size) };
}

/**
 * The keys listed in the `keeping` flag: more than one if the area was used again after a keep, or if a keep was
 * interrupted.
 */
export async function flaggedKeys(
  bucket: Bucket,
  uploadId: string,
  { keeping }: Pick<AreaView, 'keeping'>,
): Promise<string[]> {
  const flag = keeping ? await bucket.read(keepingName(uploadId)) : null;
  return flag ? flag.bytes.toString().split('\n').filter(Boolean) : [];
}

/** Names of this upload's parts that are used by blobs under these keys: the upload may no longer delete them. */
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
      // An empty blob has no parts, but is kept like any other.
      return [keepingName(uploadId), ...segments.map(({ name }) => segmentsOf(uploadId) + name)];
    }),
  );
  return new Set(names.flat());
}

/** Like {@link partsUnder}, for all keys listed in the flag. */
export async function keptParts(
  bucket: Bucket,
  uploadId: string,
  view: AreaView,
): Promise<ReadonlySet<string>> {
  return partsUnder(bucket, uploadId, await flaggedKeys(bucket, uploadId, view));
}

/**
 * True if writes still count. The flag is checked first, because it is removed last, after the marker. So if a part is
 * completed during a discard, either the discard sees the part or the part's writer sees the discard.
 */
export async function isOpen(bucket: Bucket, uploadId: string): Promise<boolean> {
  if (await bucket.head(discardingName(uploadId))) return false;
  return (await bucket.head(markerName(uploadId))) !== null;
}

/**
 * Deletes an upload except for its kept parts. The flag is set before the area is inspected, and keep() does the same
 * with its own flag: if both run at the same time, at least one sees the other.
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
 * Closes the area of an upload whose bytes are now under their key; `kept` are the parts of this upload that they
 * consist of. Sets no flag, because no other call has to give way to it.
 */
export async function closeArea(
  bucket: Bucket,
  uploadId: string,
  view: AreaView,
  kept: ReadonlySet<string>,
): Promise<void> {
  await dropParts(bucket, view, kept);
  await bucket.remove(markerName(uploadId));
  // Parts that were completed meanwhile, or in vain.
  await dropParts(bucket, await viewArea(bucket, uploadId), kept);
  await bucket.abortSends(segmentsOf(uploadId));
  if (view.keeping && kept.size === 0) await bucket.remove(keepingName(uploadId));
}

async function dropParts(bucket: Bucket, { parts }: AreaView, kept: ReadonlySet<string>): Promise<void> {
  await bucket.removeAll(parts.map(({ name }) => name).filter((name) => !kept.has(name)));
}
