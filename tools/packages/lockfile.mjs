import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../process.mjs';
import { runtimePackage } from '../project-node.mjs';

// Packages are installed for one of three purposes, each of which includes the ones before it:
//
// - `run`: the dependencies of a built server, and Node itself
// - `build`: all dependencies, so also the sources of the pages and the tools that build them and the server
// - `develop`: development dependencies as well
//
// npm only distinguishes the last two.

/** The workspace whose dependencies are all bundled. The root's own dependencies are tools for building. */
const bundledWorkspace = 'web';

/** npm's record of what it installed. */
const record = join(root, 'node_modules', '.package-lock.json');

/** The packages that are installed, by their paths: `node_modules/fastify`. */
export function installedPackages() {
  try {
    return packagesIn(record);
  } catch {
    return {};
  }
}

/** Changes npm's record; npm trusts it only while it is newer than the folders of the packages. */
export function recordRemoval(paths) {
  const installed = JSON.parse(readFileSync(record, 'utf8'));
  for (const path of paths) delete installed.packages[path];
  writeFileSync(record, JSON.stringify(installed, null, 2));
}

const packagesIn = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;

/**
 * The locked packages that are needed for a purpose, by their paths.
 *
 * @param {string} purpose
 * @returns {Record<string, { version: string, link?: boolean, resolved?: string }>}
 */
export function lockedPackages(purpose) {
  const locked = packagesIn(join(root, 'package-lock.json'));
  const paths = purpose === 'run' ? runningPackages(locked) : Object.keys(locked);
  return Object.fromEntries(
    paths
      .filter((path) => path.includes('node_modules/') && (purpose === 'develop' || !locked[path].dev))
      .map((path) => [path, locked[path]]),
  );
}

/**
 * The locked packages that are needed for a purpose but not installed, or in another version. Optional ones may be
 * missing (they are for other platforms), except our own runtime. Packages in a workspace's own node_modules are looked
 * up on disk, since cleaning the workspace removes them without npm noticing.
 */
export function lackingPackages(purpose) {
  const installed = installedPackages();
  return Object.entries(lockedPackages(purpose))
    .filter(([path, want]) => {
      const have = installed[path];
      if (!have)
        return !(want.optional || want.devOptional || want.peer) || path === `node_modules/${runtimePackage}`;
      if (!path.startsWith('node_modules/') && !existsSync(join(root, path))) return true;
      return have.version !== want.version || have.integrity !== want.integrity;
    })
    .map(([path]) => path);
}

/** Paths of the other workspaces' dependencies, directly or through others, and of the runtimes of all platforms. */
function runningPackages(locked) {
  const found = new Set();
  const { workspaces = [], optionalDependencies = {} } = locked[''];
  const waiting = [
    ...workspaces.filter((folder) => folder !== bundledWorkspace),
    ...Object.keys(optionalDependencies).map((name) => locate(locked, '', name)),
  ];
  while (waiting.length > 0) {
    const path = waiting.pop();
    if (path === undefined || found.has(path)) continue;
    found.add(path);
    const { link, resolved } = locked[path];
    if (link) waiting.push(resolved);
    else waiting.push(...dependencyNames(locked[path]).map((name) => locate(locked, path, name)));
  }
  return [...found];
}

const dependencyNames = ({ dependencies, optionalDependencies, peerDependencies }) =>
  Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });

/** The path of the package that a name means in the given package: the nearest one on the way to the root. */
function locate(locked, from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/')))) {
    const path = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (locked[path]) return path;
    if (folder === '') return undefined;
  }
}
