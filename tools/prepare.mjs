import { join } from 'node:path';
import { ensureBuilt, isBuilt } from './builds/ensure-built.mjs';
import { serverBuild, workerBuild } from './builds/server.mjs';
import { webBuild } from './builds/web.mjs';
import { withLock } from './lock.mjs';
import { ensureInstalled, isInstalled, removeBuildingPackages } from './packages/install.mjs';
import { projectNode } from './project-node.mjs';
import { root } from './process.mjs';

/**
 * Installs the packages that the product needs and builds the given parts of it, unless that has been done. Packages
 * that only building needs are installed if something has to be built, and removed when everything is.
 */
export async function prepare(builds) {
  if (isInstalled('run') && builds.every(isBuilt)) return;
  // Another process must not remove the packages before this one has built with them.
  await withLock(join(root, '.cache', 'prepare.lock'), async () => {
    await ensureInstalled(builds.every(isBuilt) ? 'run' : 'build');
    for (const build of builds) await ensureBuilt(build, projectNode());
    if ([serverBuild, workerBuild, webBuild].every(isBuilt)) await removeBuildingPackages();
  });
}
