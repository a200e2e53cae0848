import type { Database } from '../foundation/database/index.ts';
import type { Tasks } from '../task/index.ts';
import type { RestoreState } from './share-restore-service.ts';
import type { ShareStore } from './share-store.ts';

/** Share whose reserved places differ from those of its running restores. */
export interface ShareFinding {
  readonly what: 'share-reserved';
  readonly id: string;
  readonly detail: string;
  readonly repaired: boolean;
}

/**
 * Verifies that counters of running restores agree with the tasks. Nothing else may be running during a
 * repair.
 */
export async function checkShares(
  { database, store, tasks }: { database: Database; store: ShareStore; tasks: Tasks },
  { repair }: { repair: boolean },
): Promise<ShareFinding[]> {
  const held = new Map<string, number>();
  for (const { state } of await tasks.unfinished<RestoreState>(database, 'restore')) {
    const { share, reserved } = state;
    if (reserved) held.set(share, (held.get(share) ?? 0) + 1);
  }
  const said = await store.reserved(database);
  const findings: ShareFinding[] = [];
  for (const id of new Set([...held.keys(), ...said.keys()])) {
    const [real, written] = [held.get(id) ?? 0, said.get(id) ?? 0];
    if (real === written) continue;
    if (repair) await database.transaction((tx) => store.setReserved(tx, id, real));
    findings.push({
      what: 'share-reserved',
      id,
      detail: `recorded ${written} saves in progress, found ${real}`,
      repaired: repair,
    });
  }
  return findings;
}
