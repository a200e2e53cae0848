import type { Room } from '@bowerbird/storage';
import type { Accounts } from '../account/index.ts';
import type { Database } from '../foundation/database/index.ts';
import { sizeText, type Log } from '../foundation/index.ts';
import type { Settings } from '../site/index.ts';
import { isLevel, isWorse, levelOf, nextLevel, type DiskStatus } from './disk.ts';

export interface DiskWatch {
  /** Measures the free space. Rejects with StorageUnavailable while the storage is unavailable. */
  status(): Promise<DiskStatus>;
  /**
   * Checks the disk, and notifies administrators if it has become worse since the last check by any process.
   */
  look(): Promise<void>;
}

interface Parts {
  readonly database: Database;
  readonly room: Room;
  readonly accounts: Accounts;
  readonly settings: Settings;
  readonly log: Log;
  readonly warnBelow: number;
}

const SETTING = 'disk-level';

export function createDiskWatch({ database, room, accounts, settings, log, warnBelow }: Parts): DiskWatch {
  async function status(): Promise<DiskStatus> {
    const { free, reserve, underWay } = await room.status();
    return {
      free,
      reserve,
      underWay,
      usable: free === null ? null : Math.max(0, free - reserve - underWay),
      warnBelow,
      level: levelOf(free, { reserve, warnBelow }),
    };
  }

  return {
    status,
    async look() {
      const { free, reserve } = await status();
      if (free === null) return;
      const known = await settings.get(database, SETTING);
      const before = isLevel(known) ? known : 'ok';
      const level = nextLevel(before, free, { reserve, warnBelow });
      if (level === before) return;
      if (isWorse(level, before)) log.warn({ free, reserve, level }, 'disk is running out of space');
      else log.info({ free, reserve, level }, 'disk has enough space again');
      await database.transaction(async (tx) => {
        await tx.lock(SETTING);
        // Another process may have notified them first.
        if ((await settings.get(tx, SETTING)) !== known) return;
        await settings.set(tx, SETTING, level);
        if (isWorse(level, before))
          await accounts.tellOperators(tx, 'diskLow', (locale) => ({
            free: sizeText(free, locale),
            reserve: sizeText(reserve, locale),
          }));
      });
    },
  };
}
