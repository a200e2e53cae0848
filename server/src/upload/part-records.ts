import type { Database } from '../foundation/database/index.ts';
import type { Clock, Log } from '../foundation/index.ts';
import type { Tasks } from '../task/index.ts';
import type { UploadPartStore } from './upload-part-store.ts';
import type { UploadStore } from './upload-store.ts';
import type { PartRow, UploadRow } from './upload.ts';

/**
 * Records of uploaded parts: size, position and digests. The storage alone decides which parts are held; a
 * record saves reading a part again when the file is completed. So no request waits for records to be
 * written, and losing those that a killed process had in memory costs time, not bytes.
 */
export interface PartRecords {
  add(upload: UploadRow, part: PartRow): void;
  /** Returns true if records of the upload wait to be written. */
  has(upload: string): boolean;
  /** Returns the bytes and the largest size of the recorded parts, except the part with one number. */
  landed(upload: string, exceptNumber: number): Promise<{ bytes: number; largest: number }>;
  /** Writes all records of an upload. */
  flush(upload: string): Promise<void>;
  /** Writes the records of all uploads. */
  close(): Promise<void>;
}

/** Records made within this time are written together: a database flush costs as much for one as for many. */
const WRITE_AFTER_MS = 150;

interface UploadRecords {
  readonly upload: UploadRow;
  queued: PartRow[];
  /** Being written. */
  inFlight: PartRow[];
  timer: NodeJS.Timeout | undefined;
  writing: Promise<void>;
}

export function createPartRecords({
  database,
  store,
  partStore,
  tasks,
  clock,
  log,
}: {
  database: Database;
  store: UploadStore;
  partStore: UploadPartStore;
  tasks: Tasks;
  clock: Clock;
  log: Log;
}): PartRecords {
  const all = new Map<string, UploadRecords>();

  async function write(upload: UploadRow, parts: readonly PartRow[]): Promise<void> {
    await database.transaction(async (tx) => {
      if (!(await store.touch(tx, upload.id, clock.now()))) return;
      for (const part of parts) await partStore.add(tx, upload.id, part);
      const { bytes } = await partStore.landed(tx, upload.id, []);
      const percent = Math.floor((bytes / Math.max(upload.size, 1)) * 100);
      await tasks.update(tx, upload.task, { phase: 'PHASE_TYPE_RUNNING', progress: Math.min(percent, 99) });
    });
  }

  async function writeQueued(records: UploadRecords): Promise<void> {
    const parts = records.queued;
    if (parts.length === 0) return;
    records.queued = [];
    records.inFlight = parts;
    try {
      await write(records.upload, parts);
    } catch (error) {
      log.warn(
        { err: error, upload: records.upload.id },
        'could not write part records; the parts will be read again',
      );
    }
    records.inFlight = [];
    if (records.queued.length === 0) all.delete(records.upload.id);
  }

  async function flush(id: string): Promise<void> {
    const records = all.get(id);
    if (!records) return;
    clearTimeout(records.timer);
    records.timer = undefined;
    records.writing = records.writing.then(() => writeQueued(records));
    await records.writing;
  }

  return {
    add(upload, part) {
      const records: UploadRecords = all.get(upload.id) ?? {
        upload,
        queued: [],
        inFlight: [],
        timer: undefined,
        writing: Promise.resolve(),
      };
      all.set(upload.id, records);
      records.queued.push(part);
      records.timer ??= setTimeout(() => void flush(upload.id), WRITE_AFTER_MS);
    },

    has: (id) => all.has(id),

    async landed(id, exceptNumber) {
      const { queued = [], inFlight = [] } = all.get(id) ?? {};
      const recorded = [...inFlight, ...queued].filter(({ number }) => number !== exceptNumber);
      const written = await partStore.landed(database, id, [
        exceptNumber,
        ...recorded.map(({ number }) => number),
      ]);
      const sizes = new Map(recorded.map(({ number, size }) => [number, size]));
      const bytes = [...sizes.values()].reduce((sum, size) => sum + size, written.bytes);
      return { bytes, largest: Math.max(written.largest, ...sizes.values()) };
    },

    flush,
    close: async () => void (await Promise.all([...all.keys()].map(flush))),
  };
}
