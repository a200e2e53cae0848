import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withLock } from './lock.mjs';
import { projectEnvironment, root, run, say } from './process.mjs';
import { explainBuildFailure } from './trouble.mjs';

const reactRouter = join(root, 'node_modules', '@react-router', 'dev', 'bin.cjs');
const output = join(root, 'web', 'build');
const next = join(root, 'web', '.next-build');
const stamp = '.source';
const sources = [
  'web',
  'contract',
  'locales',
  'content',
  'package-lock.json',
  'tools/build-web.mjs',
  'tools/precompress.ts',
];
const notSources = new Set(['node_modules', 'build', '.next-build', '.react-router', '.vite-temp', '+types']);

/** Builds the web app if its sources have changed since the last build. */
export async function ensureWebBuilt(node) {
  if (isFresh(digestOfSources())) return;
  await withLock(join(root, '.cache', 'build-web.lock'), async () => {
    // Another process may have built it while this one waited. Changes made during the build trigger the next one.
    const digest = digestOfSources();
    if (!isFresh(digest)) await build(node, digest);
  });
}

/** The new build replaces the old one as a whole: if a build fails or is interrupted, the old one remains. */
async function build(node, digest) {
  say('building the web app…');
  const started = Date.now();
  const env = projectEnvironment({ NODE_ENV: 'production', BUILD_DIR: basename(next) });
  const steps = [
    [reactRouter, 'build', '--logLevel', 'warn'],
    [join(root, 'tools', 'precompress.ts'), join(next, 'client')],
  ];
  for (const args of steps) {
    const code = await run(node, args, { cwd: join(root, 'web'), env, stdio: ['ignore', 2, 2] });
    if (code !== 0) throw new Error(explainBuildFailure());
  }
  writeFileSync(join(next, stamp), digest);
  rmSync(output, { recursive: true, force: true });
  renameSync(next, output);
  say(`built in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

function isFresh(digest) {
  const built = join(output, stamp);
  return existsSync(built) && readFileSync(built, 'utf8') === digest;
}

/** Compares content, not times: a clone, a checkout or a restored backup sets arbitrary times. */
function digestOfSources() {
  const hash = createHash('sha256');
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
