import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withLock } from '../lock.mjs';
import { root, say } from '../process.mjs';

/** In a build: the digest of the sources it was made from, and a digest of their times when they were last read. */
const stamp = '.source';
const timesStamp = '.source-times';
const notSources = new Set(['node_modules', 'build', '.next-build', '.react-router', '.vite-temp', '+types']);
/** Files that were changed so recently may change again without getting another time. */
export const SETTLED_MS = 2_000;

/**
 * @typedef {object} Target something that is built
 * @property {string} name noun for the messages
 * @property {string[]} sources files and folders, relative to the checkout
 * @property {string} output folder of the build
 * @property {string} next folder next to it, for a build in progress
 * @property {(node: string, next: string) => Promise<void>} build writes a build into the folder `next`
 */

/**
 * Builds the target with the given Node if its sources have changed since the last build. The new build replaces the
 * old one as a whole: if a build fails or is interrupted, the old one remains.
 *
 * @param {Target} target
 * @param {string} node
 */
export async function ensureBuilt(target, node) {
  if (isBuilt(target)) return;
  await withLock(join(root, '.cache', `build-${basename(target.next)}.lock`), async () => {
    // Another process may have built it while this one waited. Changes made during the build trigger the next one.
    const files = filesOf(target);
    const times = timesOf(files);
    const digest = digestOf(files);
    if (read(join(target.output, stamp)) === digest) return;
    rmSync(target.next, { recursive: true, force: true });
    say(`building the ${target.name}…`);
    const started = Date.now();
    await target.build(node, target.next);
    writeFileSync(join(target.next, stamp), digest);
    remember(target.next, times);
    rmSync(target.output, { recursive: true, force: true });
    renameSync(target.next, target.output);
    say(`built in ${((Date.now() - started) / 1000).toFixed(1)} s`);
  });
}

/**
 * Returns true if the build was made from the current sources. Their content decides, not their times: a clone, a
 * checkout or a restored backup sets arbitrary times. Sources with the same times as when they were last read aren't
 * read again, because reading all of them takes longer than the rest of the launcher's work.
 *
 * @param {Target} target
 */
export function isBuilt(target) {
  const built = read(join(target.output, stamp));
  if (built === undefined) return false;
  const files = filesOf(target);
  const times = timesOf(files);
  if (times !== undefined && read(join(target.output, timesStamp)) === times) return true;
  if (digestOf(files) !== built) return false;
  remember(target.output, times);
  return true;
}

function read(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function remember(output, times) {
  if (times === undefined) return;
  try {
    writeFileSync(join(output, timesStamp), times);
  } catch {
    // The checkout may be on a disk that became read-only after the build.
  }
}

function digestOf(files) {
  const hash = createHash('sha256');
  for (const { path } of files) {
    const content = readFileSync(join(root, path));
    hash.update(`${path} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** Undefined if a file has just been changed. */
function timesOf(files) {
  const hash = createHash('sha256');
  const settled = Date.now() - SETTLED_MS;
  for (const { path, stats } of files) {
    if (stats.ctimeMs > settled) return undefined;
    hash.update(`${path} ${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}\n`);
  }
  return hash.digest('hex');
}

/** The files of a target's sources, in a fixed order. */
const filesOf = ({ sources }) => sources.flatMap(filesIn);

function filesIn(path) {
  if (notSources.has(basename(path)) || /\.test\.tsx?$/.test(path)) return [];
  const stats = statSync(join(root, path), { throwIfNoEntry: false });
  if (!stats) return [];
  if (stats.isFile()) return [{ path, stats }];
  return readdirSync(join(root, path))
    .sort()
    .flatMap((name) => filesIn(`${path}/${name}`));
}
