import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');

interface Manifest {
  readonly license?: string;
  readonly workspaces?: readonly string[];
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
}
interface Dependency {
  readonly name: string;
  readonly version: string;
  readonly manifest: string;
}

const manifest = (file: string) => JSON.parse(read(file)) as Manifest;
const manifests = [
  'package.json',
  ...(manifest('package.json').workspaces ?? []).map((folder) => `${folder}/package.json`),
];
const dependencies = manifests.flatMap((file): Dependency[] => {
  const { dependencies: used, devDependencies, optionalDependencies } = manifest(file);
  return Object.entries({ ...used, ...devDependencies, ...optionalDependencies })
    .filter(([name]) => !name.startsWith('@bowerbird/'))
    .map(([name, version]) => ({ name, version, manifest: file }));
});

/** Rows of the tables: package → license. */
const documented = new Map(
  [...read('docs/decisions/dependencies.md').matchAll(/^\| (\S+) \| [^|]+ \| ([^|]+) \| [^|]+ \|$/gm)]
    .filter(([, name]) => name !== 'package')
    .map(([, name, licence]) => [name!, licence!]),
);

test('every dependency is pinned to one version', () => {
  expect(dependencies.filter(({ version }) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
});

test('every dependency is documented, and only dependencies are', () => {
  expect([...documented.keys()].toSorted()).toEqual(
    [...new Set(dependencies.map(({ name }) => name))].toSorted(),
  );
});

test('the documented license matches the package', () => {
  const wrong = dependencies.flatMap(({ name }) => {
    const file = `node_modules/${name}/package.json`;
    if (!existsSync(join(root, file))) return []; // for another platform
    const { license } = manifest(file);
    return license === documented.get(name) ? [] : [`${name}: ${license}`];
  });
  expect(wrong).toEqual([]);
});

/** Packages that declare their license in an unusual way, with the license according to their texts. */
const said = new Map([
  // Runs in a separate process; it includes unRAR's restriction on making compressors (docs/decisions/0025).
  ['7z-wasm', 'LGPL-2.1-or-later'],
  ['compact2string', 'MIT'],
  ['limiter', 'MIT'],
]);

test('every installed package has a license compatible with ours', () => {
  const good =
    /^(?:MIT|MIT-0|ISC|0BSD|BSD-[23]-Clause|Apache-2\.0|BlueOak-1\.0\.0|CC0-1\.0|CC-BY-4\.0|OFL-1\.1|Unlicense|Zlib|MPL-2\.0|LGPL-2\.1-or-later|LGPL-3\.0-or-later|Python-2\.0)$/;
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { license?: string; link?: boolean }>;
  };
  const bad = Object.entries(packages).flatMap(([path, { license = 'none', link }]) => {
    if (!path.includes('node_modules/') || link) return [];
    const known = said.get(path.slice(path.lastIndexOf('node_modules/') + 13)) ?? license;
    const choices = known.replace(/[()]/g, '').split(' OR ');
    const fits = choices.some((choice) => choice.split(' AND ').every((part) => good.test(part)));
    return fits ? [] : [`${path}: ${license}`];
  });
  expect(bad).toEqual([]);
});
