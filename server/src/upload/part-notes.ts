import type { Database } from '../foundation/database/index.ts';
import type { Clock, Log } from '../foundation/index.ts';
import type { Tasks } from '../task/index.ts';
import type { UploadStore } from './upload-store.ts';
import type { PartRow, UploadRow } from './upload.ts';

/**
 * What was learned of parts while they landed. The storage alone says which parts are held; notes spare them a second
 * look when the file is completed. So nobody waits for them to be written down, and those that a killed process had in
 * memory cost time, not bytes.
 */
export interface PartNotes {
  add(upload: UploadRow, part: PartRow): void;
  /** Bytes and largest part known to be held, without the part of one number. */
  landed(upload: string, exceptNumber: number): Promise<{ bytes: number; largest: number }>;
  /** Resolves when everything noted of an upload is written down. */
  settle(upload: string): Promise<void>;
  /** As {@link settle}, of all uploads. */
  close(): Promise<void>;
}

/** Parts that land within this time are written down together: a flush of the database costs as much for one as for many. */
const GATHERING_MS = 150;

interface Notes {
  readonly upload: UploadRow;
  waiting: PartRow[];
  /** Handed to the database, not there yet. */
  underWay: PartRow[];
  timer: NodeJS.Timeout | undefined;
  writing: Promise<void>;
}

export function createPartNotes({
  database,
  store,
  tasks,
  clock,
  log,
}: {
  database: Database;
  store: UploadStore;
  tasks: Tasks;
  clock: Clock;
  log: Log;
}): PartNotes {
  const all = new Map<string, Notes>();

  async function write(upload: UploadRow, parts: readonly PartRow[]): Promise<void> {
    await database.transaction(async (tx) => {
      if (!(await store.touch(tx, upload.id, clock.now()))) return;
      for (const part of parts) await store.addPart(tx, upload.id, part);
      const { bytes } = await store.landed(tx, upload.id, []);
      const percent = Math.floor((bytes / Math.max(upload.size, 1)) * 100);
      await tasks.update(tx, upload.task, { phase: 'PHASE_TYPE_RUNNING', progress: Math.min(percent, 99) });
    });
  }

  async function handOver(notes: Notes): Promise<void> {
    const parts = notes.waiting;
    if (parts.length === 0) return;
    notes.waiting = [];
    notes.underWay = parts;
    try {
      await write(notes.upload, parts);
    } catch (error) {
      log.warn(
        { err: error, upload: notes.upload.id },
        'what was learned of parts is lost; they will be looked at again',
      );
    }
    notes.underWay = [];
    if (notes.waiting.length === 0) all.delete(notes.upload.id);
  }

  async function settle(id: string): Promise<void> {
    const notes = all.get(id);
    if (!notes) return;
    clearTimeout(notes.timer);
    notes.timer = undefined;
    notes.writing = notes.writing.then(() => handOver(notes));
    await notes.writing;
  }

  return {
    add(upload, part) {
      const notes: Notes = all.get(upload.id) ?? {
        upload,
        waiting: [],
        underWay: [],
        timer: undefined,
        writing: Promise.resolve(),
      };
      all.set(upload.id, notes);
      notes.waiting.push(part);
      notes.timer ??= setTimeout(() => void settle(upload.id), GATHERING_MS);
    },

    async landed(id, exceptNumber) {
      const { waiting = [], underWay = [] } = all.get(id) ?? {};
      const noted = [...underWay, ...waiting].filter(({ number }) => number !== exceptNumber);
      const written = await store.landed(database, id, [exceptNumber, ...noted.map(({ number }) => number)]);
      const sizes = new Map(noted.map(({ number, size }) => [number, size]));
      const bytes = [...sizes.values()].reduce((sum, size) => sum + size, written.bytes);
      return { bytes, largest: Math.max(written.largest, ...sizes.values()) };
    },

    settle,
    close: async () => void (await Promise.all([...all.keys()].map(settle))),
  };
}
