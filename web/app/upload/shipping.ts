import { driveApi, isApiFailure, type ApiFailure } from '@bowerbird/contract';
import type { TargetFolders } from './target-folders.ts';
import { isUncertain, uploadBatch, type BatchResult } from './upload-batch.ts';
import type { Entry, Shipment } from './upload-entry.ts';
import { isActive, type UploadItem } from './upload-item.ts';
import { uploadFailure } from './upload-run.ts';
import type { UploadTools } from './upload-tools.ts';

export interface ShippingDeps {
  readonly tools: UploadTools;
  readonly folders: TargetFolders;
  readonly change: (entry: Entry, next: Partial<UploadItem>) => void;
  readonly done: (entry: Entry, file: { nodeId: string; name: string }) => void;
  readonly fail: (entry: Entry, failure: ApiFailure) => void;
}

/** Sends many small files in one request each. */
export interface Shipping {
  /** Number of requests under way. */
  readonly count: number;
  send(shipment: Shipment): Promise<void>;
  /** Aborts the request of a paused or canceled file if all its other files are, too. */
  letGo(entry: Entry): void;
  /** Returns true if the file is part of a request that is under way. */
  isUnderWay(entry: Entry): boolean;
}

export function createShipping({ tools, folders, change, done, fail }: ShippingDeps): Shipping {
  const underWay = new Set<Shipment>();

  /** Creates the folders of the files. Returns false if that failed for some, which leaves the others queued. */
  async function prepare({ entries }: Shipment): Promise<boolean> {
    const made = await Promise.allSettled(
      entries.map(({ item, merge }) => folders.ensure(item.targetId, item.folders, merge)),
    );
    const isReady = made.every(({ status }) => status === 'fulfilled');
    for (const [at, entry] of entries.entries()) {
      const folder = made[at]!;
      if (!isReady) entry.shipment = undefined;
      if (folder.status === 'fulfilled') {
        const next = isReady ? ({ state: 'uploading' } as const) : ({ state: 'queued' } as const);
        change(entry, { folderId: folder.value, ...(isActive(entry.item.state) ? next : {}) });
      } else if (isActive(entry.item.state)) fail(entry, uploadFailure(folder.reason));
    }
    return isReady;
  }

  function settle(entry: Entry, result: BatchResult): void {
    entry.shipment = undefined;
    const { state } = entry.item;
    if (isApiFailure(result)) {
      if (isActive(state)) fail(entry, result);
    } else if (state !== 'cancelled') {
      done(entry, result);
    } else if (entry.conflict !== 'skip') {
      // The file was canceled while its request was under way, and could not be taken out of it.
      tools.call(driveApi.remove, { params: { id: result.nodeId } }).catch(() => undefined);
    }
  }

  async function ship(shipment: Shipment): Promise<void> {
    const { entries, key, stop } = shipment;
    for (const entry of entries) {
      entry.shipment = shipment;
      change(entry, { state: 'preparing', error: undefined, errorText: undefined });
    }
    if (!(await prepare(shipment))) return;
    try {
      stop.signal.throwIfAborted();
      const jobs = entries.map(({ item, file, conflict }) => ({
        file: file!,
        name: item.name,
        folderId: item.folderId!,
        folderName: item.folders.at(-1) ?? item.targetName,
        conflict,
      }));
      const results = await uploadBatch(jobs, key, tools, stop.signal);
      for (const [at, entry] of entries.entries()) settle(entry, results[at]!);
    } catch (error) {
      for (const entry of entries) {
        if (!isUncertain(error)) entry.shipment = undefined;
        if (isActive(entry.item.state)) fail(entry, uploadFailure(error));
      }
    }
  }

  return {
    get count() {
      return underWay.size;
    },
    async send(shipment) {
      underWay.add(shipment);
      await ship(shipment).finally(() => underWay.delete(shipment));
    },
    letGo({ shipment }) {
      if (shipment?.entries.every(({ item }) => !isActive(item.state))) shipment.stop.abort();
    },
    isUnderWay: ({ shipment }) =>
      shipment !== undefined && underWay.has(shipment) && !shipment.stop.signal.aborted,
  };
}
