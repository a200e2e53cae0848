import { dirname, join, relative, sep } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';
import { compiledMigrations } from './compiled-migrations.ts';

// Bundles the server and its packages into a few files in the given folder, because finding, reading and linking 1,500
// modules takes half of a start.

const root = join(import.meta.dirname, '..', '..');
const [, , output] = process.argv;
if (output === undefined) throw new Error('usage: bundle-server.ts FOLDER');

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

/** Packages that Fastify loads only for schemas of its routes, which ours don't have, and for requests of tests. */
const UNUSED = ['@fastify/ajv-compiler', '@fastify/fast-json-stringify-compiler', 'light-my-request'];

const bundle = await rolldown({
  input: { main: join(root, 'server', 'src', 'main.ts') },
  platform: 'node',
  // Packages with native code, those that only developers use, and those that not every installation loads: a server
  // that is running while another one is built would not find them in the new bundle.
  external: ['@node-rs/argon2', 'pg-native', 'vite', 'nodemailer', 'stripe', /^@aws-sdk\//, ...UNUSED],
  plugins: [compiledMigrations(root), keptLocations],
  logLevel: 'warn',
});
// V8 keeps the source in memory: without comments it's smaller, and as ASCII it needs one byte per character, not two.
await bundle.write({ dir: output, format: 'esm', comments: false, charset: 'ascii' });
