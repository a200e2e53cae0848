import type { Database } from '../../foundation/database/index.ts';
import { FILE, FOLDER } from '../drive.ts';
import type { FolderSizeStore } from '../folder-size/index.ts';
import type { VersionStore } from '../version/index.ts';
import type { Surveys } from './survey-service.ts';
import type { UsageStore } from './usage-store.ts';
import type { Breakdown } from './usage.ts';

/** Returns what an account's drive consists of; kinds may be as old as a survey. */
export type Breakdowns = (account: string) => Promise<Breakdown>;

/** Folders that are listed one by one. */
const LISTED = 100;

export function createBreakdowns({
  database,
  usageStore,
  versionStore,
  sizes,
  surveys,
}: {
  database: Database;
  usageStore: UsageStore;
  versionStore: VersionStore;
  sizes: FolderSizeStore;
  surveys: Surveys;
}): Breakdowns {
  return async (account) => {
    const { kinds } = await surveys(account);
    const folders = await usageStore.topFolders(database, account, LISTED);
    const all = await usageStore.top(database, account, FOLDER);
    const root = await usageStore.top(database, account, FILE);
    const trash = await sizes.trash(database, account);
    const versions = await versionStore.total(database, account);
    return {
      kinds: kinds.map(([category, amount]) => ({ category, ...amount })),
      folders: folders.map(({ id, name, size, file_count: files }) => ({ id, name, bytes: size, files })),
      otherFolders: {
        folders: all.nodes - folders.length,
        bytes: all.bytes - folders.reduce((sum, { size }) => sum + size, 0),
        files: all.files - folders.reduce((sum, { file_count: files }) => sum + files, 0),
      },
      root: { bytes: root.bytes, files: root.files },
      trash: { bytes: trash.bytes, files: trash.files },
      versions: { bytes: versions.bytes, files: versions.count },
    };
  };
}
