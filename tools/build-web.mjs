import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withLock } from './lock.mjs';
import { projectEnvironment, root, run, say } from './process.mjs';

const output = join(root, 'web', 'build');
const stamp = join(output, '.source');
const sources = [
  'web',
  'contract',
  'locales',
  'content',
  'package-lock.json',
  'tools/build-web.mjs',
  'tools/precompress.ts',
];
const notSources = new Set(['node_modules', 'build', '.react-router', '.vite-temp', '.tsbuild']);

/** Builds the web app when its sources are not those of the last build. */
export async function ensureWebBuilt(node) {
  if (isFresh(digestOfSources())) return;
  await withLock(join(root, '.cache', 'build-web.lock'), async () => {
    // Another process may have built it while this one waited; and what changes during the build is of the next one.
    const digest = digestOfSources();
    if (!isFresh(digest)) await build(node, digest);
  });
}

async function build(node, digest) {
  say('building the web app…');
  const started = Date.now();
  const env = projectEnvironment({ NODE_ENV: 'production' });
  const reactRouter = join(root, 'node_modules', '@react-router', 'dev', 'bin.cjs');
  const log = process.env.CI || process.env.BUILD_LOG ? 'info' : 'warn';
  const steps = [
    [[reactRouter, 'build', '--logLevel', log], join(root, 'web')],
    [[join(root, 'tools', 'precompress.ts'), join(output, 'client')], root],
  ];
  for (const [args, cwd] of steps) {
    if ((await run(node, args, { cwd, env, stdio: ['ignore', 2, 2] })) !== 0)
      throw new Error('the web app does not build');
  }
  writeFileSync(stamp, digest);
  say(`built in ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

const isFresh = (digest) => existsSync(stamp) && readFileSync(stamp, 'utf8') === digest;

/** Content, not times: a clone, a checkout and a restored backup set times as they like. */
function digestOfSources() {
  const hash = createHash('sha256');
  for (const file of sources.flatMap(filesOf))
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
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
