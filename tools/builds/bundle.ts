import { dirname, join, relative, sep } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';
import { compiledMigrations } from './compiled-migrations.ts';

// Bundles the server, or its helper processes, and their packages into a few files in the given folder, because
// finding, reading and linking 1,500 modules takes half of a start.

const root = join(import.meta.dirname, '..', '..');
/** Packages that Fastify loads only for schemas of its routes, which ours don't have, and for requests of tests. */
const UNUSED = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request'];

/**
 * Outside of the bundles are packages with native code, those that only developers use, and those that not every
 * installation loads: a server that is running while another one is built would not find them in the new bundle.
 */
const programs = {
  server: {
    source: 'server/src/main.ts',
    external: ['@node-rs/argon2', 'pg-native', 'vite', 'nodemailer', 'stripe', /^@aws-sdk\//, ...UNUSED],
    plugins: [compiledMigrations(root)],
  },
  worker: {
    source: 'worker/src/main.ts',
    external: [
      'sharp',
      'harfbuzzjs',
      'bufferutil',
      'utf-8-validate',
      'utp-native',
      'node-datachannel',
      /^@aws-sdk\//,
    ],
    plugins: [],
  },
};

const [, , name, output] = process.argv;
if (!(name === 'server' || name === 'worker') || output === undefined)
  throw new Error('usage: bundle.ts server|worker FOLDER');
const { source, external, plugins } = programs[name];

/** Path from the bundle to a file or folder of the checkout. */
const fromBundle = (path: string): string => relative(output, path).replaceAll(sep, '/');

/** Files that the server reads or runs stay where they are: modules keep the location of their source. */
const keptLocations: Plugin = {
  name: 'kept-locations',
  transform(code, id) {
    const isSource = id.startsWith(root) && !id.includes(`${sep}node_modules${sep}`);
    if (!isSource || !code.includes('import.meta.')) return null;
    return code
      .replaceAll('import.meta.dirname', `(import.meta.dirname + '/${fromBundle(dirname(id))}')`)
      .replaceAll('import.meta.url', `new URL('${fromBundle(id)}', import.meta.url).href`);
  },
};

const bundle = await rolldown({
  input: { main: join(root, source) },
  platform: 'node',
  external,
  plugins: [...plugins, keptLocations],
  logLevel: 'warn',
});
// V8 keeps the source in memory: without comments it's smaller, and as ASCII it needs one byte per character, not two.
await bundle.write({ dir: output, format: 'esm', comments: false, charset: 'ascii' });
