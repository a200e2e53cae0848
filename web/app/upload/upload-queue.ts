import { driveApi, taskApi, type ApiFailure } from '@bowerbird/contract';
import type { Batch } from './dropped.ts';
import { chooseNames, topName, type Conflict, type ConflictAnswer } from './name-choices.ts';
import { fingerprint } from './resume-records.ts';
import { createShipping } from './shipping.ts';
import { createTargetFolders } from './target-folders.ts';
import { nextShipment, smallFiles } from './upload-batch.ts';
import { interruptedEntry, newEntry, type Entry } from './upload-entry.ts';
import { isOver, isPending, type Target, type UploadItem } from './upload-item.ts';
import { createUploadPace } from './upload-pace.ts';
import { NOTHING, snapshotOf, type UploadSnapshot } from './upload-snapshot.ts';
import { runUpload, uploadFailure } from './upload-run.ts';
import type { UploadTools } from './upload-tools.ts';

export interface UploadQueue {
  subscribe(listener: () => void): () => void;
  snapshot(): UploadSnapshot;
  /**
   * Adds files and folders; `ask` is called for each top-level name that is taken, `null` cancels everything. Resolves
   * with the number of empty folders that could not be created.
   */
  add(
    batch: Batch,
    target: Target,
    ask: (conflict: Conflict) => Promise<ConflictAnswer | null>,
  ): Promise<number>;
  pause(ids: readonly number[]): void;
  resume(ids: readonly number[]): void;
  cancel(ids: readonly number[]): void;
  clearOver(): void;
  setAtOnce(count: number): void;
  /**
   * Continues an upload with the file that was chosen again after a reload; returns false if it is a different
   * file.
   */
  reattach(id: number, file: File): boolean;
  /** Registers a callback for every file or folder that appears in a folder. */
  onLanded(listener: (folderId: string) => void): () => void;
}

const FILES_AT_ONCE = 5;
/** One request is being sent while the server completes the files of the other. */
const SHIPMENTS_AT_ONCE = 2;
const TELL_EVERY_MS = 200;
export function createUploadQueue(tools: UploadTools): UploadQueue {
  const entries = new Map<number, Entry>();
  const folders = createTargetFolders(tools.call, tools.freshKey);
  const pace = createUploadPace(tools.now);
  const listeners = new Set<() => void>();
  const landedListeners = new Set<(folderId: string) => void>();
  const shipping = createShipping({
    tools,
    folders,
    change,
    done(entry, file) {
      pace.sent(entry.item.size);
      done(entry, file);
    },
    fail,
  });
  let lastId = 0;
  let lastBatch = 0;
  let atOnce = FILES_AT_ONCE;
  /** Files that are being sent alone. */
  let alone = 0;
  let snapshot: UploadSnapshot = { ...NOTHING, atOnce };
  let telling: ReturnType<typeof setTimeout> | undefined;

  function tell(): void {
    telling = undefined;
    const items = Array.from(entries.values(), (entry) => entry.item);
    snapshot = snapshotOf(items, pace, atOnce);
    for (const listener of listeners) listener();
  }

  /** Progress arrives by the kilobyte; the screen is updated a few times a second. */
  function soon(): void {
    telling ??= setTimeout(tell, TELL_EVERY_MS);
  }

  function change(entry: Entry, next: Partial<UploadItem>): void {
    entry.item = { ...entry.item, ...next };
    soon();
  }

  function done(entry: Entry, file: { nodeId: string; name?: string }): void {
    pace.fileDone();
    change(entry, { state: 'done', loaded: entry.item.size, ...file });
    for (const listener of landedListeners) listener(entry.item.folderId!);
  }

  function fail(entry: Entry, failure: ApiFailure): void {
    change(entry, { state: 'failed', error: failure.id, errorText: failure.text });
  }

  function pump(): void {
    while (alone + shipping.count < atOnce) {
      const small = smallFiles(entries.values());
      const shipment = nextShipment(small, tools.freshKey);
      if (shipment && shipping.count < SHIPMENTS_AT_ONCE) {
        void shipping.send(shipment).finally(pump);
        continue;
      }
      const waiting = new Set(shipment && small);
      const next = entries
        .values()
        .find((entry) => entry.item.state === 'queued' && entry.file && !waiting.has(entry));
      if (!next) return;
      alone += 1;
      void run(next, next.file!).finally(() => {
        alone -= 1;
        pump();
      });
    }
  }

  async function run(entry: Entry, file: File): Promise<void> {
    const stop = new AbortController();
    entry.stop = stop;
    change(entry, { state: 'preparing', error: undefined, errorText: undefined });
    let counted = 0;
    try {
      const folderId =
        entry.record?.folderId ??
        (await folders.ensure(entry.item.targetId, entry.item.folders, entry.merge));
      stop.signal.throwIfAborted();
      change(entry, { folderId });
      const job = {
        file,
        name: entry.item.name,
        folderId,
        folderName: entry.item.folders.at(-1) ?? entry.item.targetName,
        conflict: entry.conflict,
      };
      const nodeId = await runUpload(
        job,
        tools,
        {
          state: (state) => change(entry, { state }),
          loaded(bytes) {
            pace.sent(Math.max(0, bytes - counted));
            counted = Math.max(counted, bytes);
            change(entry, { loaded: Math.min(bytes, entry.item.size) });
          },
        },
        stop.signal,
      );
      done(entry, { nodeId });
      if (entry.clashed) void learnName(entry, nodeId);
    } catch (error) {
      // Pause and cancel set the next state themselves.
      if (!stop.signal.aborted) fail(entry, uploadFailure(error));
    }
  }

  /** Fetches the name in the drive, if the file's own name was taken. */
  async function learnName(entry: Entry, id: string): Promise<void> {
    try {
      const { name } = await tools.call(driveApi.get, { params: { id }, query: {} });
      change(entry, { name });
    } catch {
      // The file keeps its original name.
    }
  }

  async function add(
    batch: Batch,
    target: Target,
    ask: (conflict: Conflict) => Promise<ConflictAnswer | null>,
  ): Promise<number> {
    const choices = await chooseNames(tools.call, batch, target, ask);
    if (!choices) return 0;
    lastBatch += 1;
    for (const incoming of batch.files) {
      const chosen = choices.get(topName(incoming));
      enqueue(newEntry({ id: ++lastId, batch: lastBatch }, incoming, target, chosen));
    }
    tell();
    pump();
    let unmade = 0;
    for (const path of batch.emptyFolders) {
      const choice = choices.get(path[0]!);
      if (choice === 'skip') continue;
      // One that can't be created doesn't keep the others from it.
      const made = folders.ensure(target.id, path, choice === 'replace');
      await made.catch(() => (unmade += 1));
      for (const listener of landedListeners) listener(target.id);
    }
    return unmade;
  }

  const enqueue = (entry: Entry): void => void entries.set(entry.item.id, entry);

  function each(ids: readonly number[], act: (entry: Entry) => void): void {
    for (const id of ids) {
      const entry = entries.get(id);
      if (entry) act(entry);
    }
    tell();
    pump();
  }

  async function giveBack(entry: Entry): Promise<void> {
    const record =
      entry.record ??
      (entry.file && entry.item.folderId !== undefined
        ? tools.records.find(fingerprint(tools.user, entry.item.folderId, entry.file))
        : undefined);
    if (!record) return;
    tools.records.forget(record.fingerprint);
    // The server deletes the idle upload by itself if this call fails.
    await tools.call(taskApi.remove, { query: { task_ids: record.taskId } }).catch(() => undefined);
  }

  for (const record of tools.records.list()) {
    lastBatch += 1;
    enqueue(interruptedEntry({ id: ++lastId, batch: lastBatch }, record));
  }
  tell();

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    snapshot: () => snapshot,
    add,
    pause: (ids) =>
      each(ids, (entry) => {
        if (!isPending(entry.item.state) || entry.item.state === 'finishing') return;
        change(entry, { state: 'paused' });
        entry.stop?.abort();
        shipping.letGo(entry);
      }),
    resume: (ids) =>
      each(ids, (entry) => {
        if (!entry.file || (entry.item.state !== 'paused' && entry.item.state !== 'failed')) return;
        const state = shipping.isUnderWay(entry) ? 'uploading' : 'queued';
        change(entry, { state, error: undefined, errorText: undefined });
      }),
    cancel: (ids) =>
      each(ids, (entry) => {
        if (isOver(entry.item.state)) return;
        change(entry, { state: 'cancelled' });
        entry.stop?.abort();
        shipping.letGo(entry);
        void giveBack(entry);
      }),
    clearOver() {
      for (const [id, entry] of entries) if (isOver(entry.item.state)) entries.delete(id);
      tell();
    },
    setAtOnce(count) {
      atOnce = Math.max(1, Math.min(8, count));
      tell();
      pump();
    },
    reattach(id, file) {
      const entry = entries.get(id);
      if (entry?.item.state !== 'waiting' || !entry.record) return false;
      if (fingerprint(tools.user, entry.record.folderId, file) !== entry.record.fingerprint) return false;
      entry.file = file;
      change(entry, { state: 'queued' });
      pump();
      return true;
    },
    onLanded(listener) {
      landedListeners.add(listener);
      return () => landedListeners.delete(listener);
    },
  };
}
