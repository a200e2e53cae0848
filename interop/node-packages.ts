import { createRequire } from 'node:module';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Say } from './client.ts';
import { CACHE, run } from './programs.ts';

/** Installs a client from npm into a separate folder, outside the project's dependencies, and loads it. */
export async function readyPackage<Module>(
  say: Say,
  name: string,
  version: string,
): Promise<{ version: string; load: () => Promise<Module> } | { absent: string }> {
  const folder = join(CACHE, `npm-${name}`);
  const description = join(folder, 'node_modules', name, 'package.json');
  if (!existsSync(description)) {
    say(`  installing ${name}@${version}`);
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'package.json'), '{ "private": true }');
    const options = ['--prefix', folder, '--ignore-scripts', '--no-audit', '--no-fund'];
    await run('npm', ['install', ...options, `${name}@${version}`], { seconds: 600 });
  }
  if (!existsSync(description)) return { absent: `npm could not install ${name}@${version}` };
  const { version: found } = JSON.parse(await readFile(description, 'utf8')) as { version: string };
  const { resolve } = createRequire(join(folder, 'package.json'));
  return { version: found, load: () => import(pathToFileURL(resolve(name)).href) as Promise<Module> };
}
