import type { UploadTicket } from '@bowerbird/contract';

/** Data needed to resume an upload after a reload. */
export interface ResumeRecord {
  /**
   * Fingerprint of user, target folder and file: an upload of another user or to another folder is never resumed.
   */
  readonly fingerprint: string;
  readonly name: string;
  readonly size: number;
  readonly folderId: string;
  readonly folderName: string;
  readonly nodeId: string;
  readonly taskId: string;
  readonly ticket: UploadTicket['params'];
  readonly uploadId: string;
  /** Unit of the numbers of parts, in bytes; earlier pages sent parts of equal size. */
  readonly unit?: number;
  readonly savedAt: number;
  /** Bytes received by the server, as last reported. */
  readonly arrived?: number;
}

const KEY = 'pp_uploads';

export function fingerprint(
  user: string,
  folderId: string,
  file: { name: string; size: number; lastModified: number },
): string {
  return JSON.stringify([user, folderId, file.name, file.size, file.lastModified]);
}

/** Part of localStorage that records use. */
export type RecordStorage = Pick<Storage, 'getItem' | 'setItem'>;

export interface ResumeRecords {
  /** Lists the user's records whose ticket still works. */
  list(): ResumeRecord[];
  find(print: string): ResumeRecord | undefined;
  save(record: ResumeRecord): void;
  /** Stores the number of bytes received. */
  reached(print: string, arrived: number): void;
  forget(print: string): void;
}

/** Records of one user; a browser without storage keeps none, and uploads start over after a reload. */
export function createResumeRecords(
  user: string,
  storage: RecordStorage | undefined,
  now: () => number,
): ResumeRecords {
  const all = (): ResumeRecord[] => {
    try {
      const read = JSON.parse(storage?.getItem(KEY) ?? '[]') as ResumeRecord[];
      return Array.isArray(read) ? read.filter((record) => Date.parse(record.ticket.expiration) > now()) : [];
    } catch {
      return [];
    }
  };
  const write = (records: readonly ResumeRecord[]): void => {
    try {
      storage?.setItem(KEY, JSON.stringify(records));
    } catch {
      // Full or forbidden storage prevents resuming after a reload, but not the upload.
    }
  };
  const others = (print: string): ResumeRecord[] => all().filter((record) => record.fingerprint !== print);
  const mine = ({ fingerprint: print }: ResumeRecord): boolean => (JSON.parse(print) as string[])[0] === user;

  return {
    list: () => all().filter(mine),
    find: (print) => all().find((record) => record.fingerprint === print),
    save: (record) => write([...others(record.fingerprint), record]),
    reached(print, arrived) {
      write(all().map((record) => (record.fingerprint === print ? { ...record, arrived } : record)));
    },
    forget: (print) => write(others(print)),
  };
}
