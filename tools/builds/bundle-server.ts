import { dirname, join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown, type Plugin } from 'rolldown';

// Bundles the server and its packages into a few files in the given folder, because finding, reading and linking 1,500
// modules takes half of a start.

const root = join(import.meta.dirname, '..', '..');
const [, , output] = process.argv;
if (output === undefined) throw new Error('usage: bundle-server.ts FOLDER');

/** Files that the server reads or runs stay where they are: modules keep the location of their source. */
const keptLocations: Plugin = {
  name: 'kept-locations',
  transform(code, id) {
    if (id.includes(`${sep}node_modules${sep}`) || !code.includes('import.meta.')) return null;
    return code
      .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
  },
};

const bundle = await rolldown({
  input: { main: join(root, 'server', 'src', 'main.ts') },
  platform: 'node',
  // Packages with native code, those that only developers use, and those that only installations with S3 load.
  external: ['@node-rs/argon2', 'pg-native', 'vite', /^@aws-sdk\//],
  plugins: [keptLocations],
  logLevel: 'warn',
});
await bundle.write({ dir: output, format: 'esm' });
