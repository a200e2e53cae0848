import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withLock } from '../lock.mjs';
import { root, say } from '../process.mjs';

const stamp = '.source';
const notSources = new Set(['node_modules', 'build', '.next-build', '.react-router', '.vite-temp', '+types']);

/**
 * Builds something if its sources have changed since the last build. The new build replaces the old one as a whole: if
 * a build fails or is interrupted, the old one remains.
 *
 * @param {object} target
 * @param {string} target.name noun for the messages
 * @param {string[]} target.sources files and folders, relative to the checkout
 * @param {string} target.output folder of the build
 * @param {string} target.next folder next to it, for a build in progress
 * @param {(next: string) => Promise<void>} target.build writes a build into the folder `next`
 */
export async function ensureBuilt(target) {
  if (isFresh(target, digestOf(target.sources))) return;
  await withLock(join(root, '.cache', `build-${basename(target.next)}.lock`), async () => {
    // Another process may have built it while this one waited. Changes made during the build trigger the next one.
    const digest = digestOf(target.sources);
    if (isFresh(target, digest)) return;
    say(`building the ${target.name}…`);
    const started = Date.now();
    await target.build(target.next);
    writeFileSync(join(target.next, stamp), digest);
    rmSync(target.output, { recursive: true, force: true });
    renameSync(target.next, target.output);
    say(`built in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  });
}

function isFresh({ output }, digest) {
  const built = join(output, stamp);
  return existsSync(built) && readFileSync(built, 'utf8') === digest;
}

/**
 * Compares content, not times: a clone, a checkout or a restored backup sets arbitrary times. A build contains the
 * location of the checkout, so it isn't valid elsewhere.
 */
function digestOf(sources) {
  const hash = createHash('sha256').update(`${root}\n`);
  for (const file of sources.flatMap(filesOf)) {
    const content = readFileSync(join(root, file));
    hash.update(`${file} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

function filesOf(path) {
  if (notSources.has(basename(path)) || /\.test\.tsx?$/.test(path)) return [];
  const found = statSync(join(root, path), { throwIfNoEntry: false });
  if (!found) return [];
  if (found.isFile()) return [path];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesOf(`${path}/${name}`));
}
