import { basename, join } from 'node:path';
import { projectEnvironment, root, run } from '../process.mjs';
import { explainBuildFailure } from '../trouble.mjs';

const reactRouter = join(root, 'node_modules', '@react-router', 'dev', 'bin.cjs');
const name = 'web app';

/** The pages. */
export const webBuild = {
  name,
  sources: [
    'web',
    'contract',
    'locales',
    'content',
    'package-lock.json',
    'tools/builds/web.mjs',
    'tools/builds/precompress.ts',
  ],
  output: join(root, 'web', 'build'),
  next: join(root, 'web', '.next-build'),
  async build(node, next) {
    const env = projectEnvironment({ NODE_ENV: 'production', BUILD_DIR: basename(next) });
    const steps = [
      [reactRouter, 'build', '--logLevel', 'warn'],
      [join(root, 'tools', 'builds', 'precompress.ts'), join(next, 'client')],
    ];
    for (const args of steps) {
      const code = await run(node, args, { cwd: join(root, 'web'), env, stdio: ['ignore', 2, 2] });
      if (code !== 0) throw new Error(explainBuildFailure(name));
    }
  },
};
