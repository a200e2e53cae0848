import { setTimeout as sleep } from 'node:timers/promises';
import { checkKey, checkPartNumber } from './names.ts';
import { checkedFlow } from './part-flow.ts';
import { checkChoices, chooseParts, compareVersions, latestParts, nextVersion } from './parts.ts';
import {
  closeArea,
  flaggedKeys,
  isOpen,
  keepingName,
  keptName,
  keptParts,
  manifestOf,
  metadataOf,
  partsUnder,
  versionsOf,
  versionsOfPart,
  viewArea,
} from './s3-area.ts';
import { KeyTaken, PartSuperseded, StagingGone, StorageError, StorageUnavailable } from './storage-errors.ts';
import type { PartChoice, PartVersion, Staging } from './blob-store.ts';
import type { AreaView, PartObject } from './s3-area.ts';
import type { Bucket } from './s3-bucket.ts';
import type { Serial } from './serial.ts';

/**
 * The area of one upload in a bucket, where nothing can be renamed: parts stay where they were written, and keeping
 * lists their names.
 */
export function createS3Staging(bucket: Bucket, serial: Serial, uploadId: string): Staging {
  return {
    uploadId,
    async writePart(number, source, options = {}) {
      checkPartNumber(number);
      const version = nextVersion(await versionsOfPart(bucket, uploadId, number));
      const name = versionsOf(uploadId, number) + version;
      const size = await bucket.send(name, checkedFlow(source, options)).catch(async (error: unknown) => {
        // Discarding the upload aborts its writes in progress.
        const broken =
          error instanceof StorageUnavailable && !(await isOpen(bucket, uploadId).catch(() => true));
        throw broken ? new StagingGone(uploadId, { cause: error }) : error;
      });
      const part = { number, size, version, name };
      return serial(uploadId, () => land(part));
    },
    async parts() {
      const view = await viewArea(bucket, uploadId);
      const kept = await keptParts(bucket, uploadId, view);
      const latest = latestParts(view.parts.filter(({ name }) => !kept.has(name)));
      return latest.map(({ number, size, version }) => ({ number, size, version }));
    },
    async keep(key, choices) {
      checkKey(key);
      const size = checkChoices(choices);
      await serial(uploadId, () => keep(key, size, choices));
    },
  };

  async function land(part: PartObject): Promise<PartVersion> {
    const [open, all] = await Promise.all([
      isOpen(bucket, uploadId),
      versionsOfPart(bucket, uploadId, part.number),
    ]);
    const others = all.filter(({ version }) => version !== part.version);
    const superseded = others.some((other) => compareVersions(other, part) > 0);
    if (!open || superseded) {
      await bucket.remove(part.name).catch(() => {}); // otherwise it is removed with the upload
      throw open ? new PartSuperseded(part.number) : new StagingGone(uploadId);
    }
    // A keep() that listed the parts before this one was complete may be using an earlier version right now.
    const keeping = others.length > 0 && (await bucket.head(keepingName(uploadId)));
    if (!keeping) await bucket.removeAll(others.map(({ name }) => name));
    return { size: part.size, version: part.version };
  }

  async function keep(key: string, size: number, choices: readonly PartChoice[]): Promise<void> {
    if (await renew(key, size)) return close();
    const { parts, others } = await chooseForGood(key, choices);
    const manifest = Buffer.from(JSON.stringify(manifestOf(uploadId, size, parts)));
    if (await bucket.put(keptName(key), manifest, metadataOf(uploadId, size), true)) {
      const view = await confirm(key, parts);
      const kept = new Set([keepingName(uploadId), ...others, ...parts.map(({ name }) => name)]);
      return close({ view, kept });
    }
    // Another call was faster, with this upload or with another one of the same bytes.
    if (!(await renew(key, size))) throw new StorageUnavailable(`${key} is being removed`);
    return close();
  }

  async function close(known?: { view: AreaView; kept: ReadonlySet<string> }): Promise<void> {
    try {
      const view = known?.view ?? (await viewArea(bucket, uploadId));
      const kept = known?.kept ?? (await keptParts(bucket, uploadId, view));
      await closeArea(bucket, uploadId, view, kept);
    } catch (error) {
      // The bytes are kept even if the cleanup fails; the upload is then listed by staged() until it is discarded.
      if (!(error instanceof StorageError)) throw error;
    }
  }

  /** True if the bytes already exist; resets their age, as if they were kept now. */
  async function renew(key: string, size: number): Promise<boolean> {
    const kept = await bucket.head(keptName(key));
    if (!kept) return false;
    if (Number(kept.metadata['size'] ?? kept.size) !== size) throw new KeyTaken(key);
    return bucket.touch(keptName(key), kept.metadata);
  }

  /**
   * Finds the parts, and sets the flag that prevents others from dropping them; `others` are the parts of earlier
   * blobs.
   */
  async function chooseForGood(
    key: string,
    choices: readonly PartChoice[],
  ): Promise<{ parts: PartObject[]; others: ReadonlySet<string> }> {
    if (!(await isOpen(bucket, uploadId))) throw new StagingGone(uploadId);
    const before = await viewArea(bucket, uploadId);
    const earlier = await flaggedKeys(bucket, uploadId, before);
    const others = await partsUnder(bucket, uploadId, earlier);
    const free = ({ parts }: AreaView): PartObject[] => parts.filter(({ name }) => !others.has(name));
    chooseParts(free(before), choices); // throws while nothing has been marked yet
    // Only the flag links an upload to its blobs, so keys are never removed from it.
    await bucket.put(keepingName(uploadId), Buffer.from([...new Set([...earlier, key])].join('\n')));
    const view = await viewArea(bucket, uploadId);
    if (view.discarding) throw new StagingGone(uploadId);
    return { parts: chooseParts(free(view), choices), others };
  }

  /**
   * A discard that began meanwhile either saw the blob and spares its parts, or did not and deletes them: wait for the
   * outcome.
   */
  async function confirm(key: string, parts: readonly PartObject[]): Promise<AreaView> {
    let view = await viewArea(bucket, uploadId);
    for (let looks = 0; view.discarding && looks < 50; looks++) {
      await sleep(200);
      view = await viewArea(bucket, uploadId);
    }
    const staged = new Set(view.parts.map(({ name }) => name));
    if (!view.discarding && view.keeping && parts.every(({ name }) => staged.has(name))) return view;
    await bucket.remove(keptName(key));
    throw new StagingGone(uploadId);
  }
}
