import type { UploadTicket } from '@bowerbird/contract';

/** What is needed to go on with an upload after a reload. */
export interface ResumeRecord {
  /** Of the user, the target folder and the file: another user's or folder's upload is never continued. */
  readonly fingerprint: string;
  readonly name: string;
  readonly size: number;
  readonly folderId: string;
  readonly folderName: string;
  readonly nodeId: string;
  readonly taskId: string;
  readonly ticket: UploadTicket['params'];
  readonly uploadId: string;
  readonly savedAt: number;
  /** Bytes that had arrived when it was last heard of. */
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

/** The part of localStorage that records use. */
export type RecordStorage = Pick<Storage, 'getItem' | 'setItem'>;

export interface ResumeRecords {
  /** Those whose ticket still works, of this user. */
  list(): ResumeRecord[];
  find(print: string): ResumeRecord | undefined;
  save(record: ResumeRecord): void;
  /** Notes how much of an upload has arrived. */
  reached(print: string, arrived: number): void;
  forget(print: string): void;
}

/** Records of one user; a browser without storage keeps none, and uploads begin anew after a reload. */
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
      // Full or forbidden: resuming after a reload is lost, the upload is not.
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
