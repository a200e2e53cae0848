import type { Accounts, AppPasswords, Passes } from '../account/index.ts';
import type { Drive } from '../drive/index.ts';
import type { Foundation, Mount } from '../foundation/domain/index.ts';
import type { Jobs } from '../foundation/jobs/index.ts';
import type { Quota, Traffic } from '../membership/index.ts';
import type { Tasks } from '../task/index.ts';
import type { Upload } from '../upload/index.ts';
import { createChanges } from './dav-change-service.ts';
import { createConditions } from './dav-condition-service.ts';
import { defineDavJobs } from './dav-jobs.ts';
import { mountDavControls } from './dav-control-routes.ts';
import { createDavControls } from './dav-control-service.ts';
import { createDavControlStore } from './dav-control-store.ts';
import { createLocks } from './dav-lock-service.ts';
import { createLockStore } from './dav-lock-store.ts';
import { createProperties } from './dav-property-service.ts';
import { createPropertyStore } from './dav-property-store.ts';
import { createResources } from './dav-resource-service.ts';
import { createLockedChanges } from './dav-locked-change-service.ts';
import { createCopyMoves } from './dav-copy-move-service.ts';
import { mountDav } from './dav-routes.ts';

export { rewriteDavHost } from './dav-routes.ts';

interface Parts extends Foundation {
  quota: Quota;
  traffic: Pick<Traffic, 'add' | 'check'>;
  tasks: Tasks;
  drive: Drive;
  upload: Upload;
  appPasswords: AppPasswords;
  accounts: Pick<Accounts, 'find'>;
  passes: Passes;
}

/** Network drive over WebDAV, classes 1, 2 and 3. */
export function createDav({
  database,
  clock,
  log,
  quota,
  traffic,
  tasks,
  drive,
  upload,
  appPasswords,
  accounts,
  passes,
}: Parts) {
  const controlStore = createDavControlStore();
  const lockStore = createLockStore();
  const propertyStore = createPropertyStore();
  const controls = createDavControls({ database, store: controlStore, accounts, passes });
  const { nodes, placements } = drive;
  const resources = createResources({ nodes });
  const locks = createLocks({ store: lockStore, nodes, clock });
  const properties = createProperties({
    database,
    store: propertyStore,
    nodes,
    locks,
    quota,
    placements,
    clock,
  });
  const conditions = createConditions({ resources });
  const lockedChanges = createLockedChanges({ database, nodes, resources, conditions, locks });
  const closing = new AbortController();
  const changes = createChanges({
    database,
    drive,
    receive: upload.receive,
    lockedChanges,
    resources,
    conditions,
    locks,
    properties,
    quota,
    traffic,
    clock,
  });
  const copyMoves = createCopyMoves({
    database,
    drive,
    lockedChanges,
    resources,
    locks,
    properties,
    tasks,
    closing: closing.signal,
  });
  drive.onCopy((tx, account, mappings) => properties.copied(tx, account, mappings));
  return {
    /** Deletes the WebDAV locks, properties and switches of the account. Returns the number of rows removed. */
    async eraseAccount(account: string, signal: AbortSignal): Promise<number> {
      let removed = 0;
      for (const store of [lockStore, propertyStore, controlStore])
        removed += await store.eraseAccount(database, account, signal);
      return removed;
    },
    mount({ api, http }: Mount) {
      mountDavControls(api, controls);
      http.addHook('preClose', async () => closing.abort());
      mountDav(http, {
        database,
        resources,
        changes,
        copyMoves,
        properties,
        send: drive.send,
        verify: (name, secret, address) => appPasswords.verify(name, secret, address),
        isOpen: (account) => controls.isOpen(account),
        clock,
        log,
      });
    },
    define: (jobs: Jobs) => defineDavJobs(jobs, { database, locks, properties }),
  };
}
