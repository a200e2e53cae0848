import { join } from 'node:path';
import { projectEnvironment, root, run } from '../process.mjs';
import { explainBuildFailure } from '../trouble.mjs';

const name = 'server';
const output = join(root, '.cache', 'server');

/** The bundled server: starts twice as fast as its sources. */
export const bundledServer = join(output, 'main.js');

/** The bundle of the server and its packages. */
export const serverBuild = {
  name,
  sources: [
    'server/src',
    'server/migrations',
    'contract/src',
    'storage/src',
    'ingest/src',
    'package-lock.json',
    'tools/builds/server.mjs',
    'tools/builds/bundle-server.ts',
    'tools/builds/compiled-migrations.ts',
  ],
  output,
  next: join(root, '.cache', 'next-server'),
  async build(node, next) {
    const code = await run(node, [join(root, 'tools', 'builds', 'bundle-server.ts'), next], {
      env: projectEnvironment(),
      stdio: ['ignore', 2, 2],
    });
    if (code !== 0) throw new Error(explainBuildFailure(name));
  },
};
