import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const MAIN = 'server/src/main.ts';

/** The message for a user who mistypes a command. */
function saidBy(program: string, ...args: string[]): string {
  const { stdout, stderr } = spawnSync(process.execPath, [join(root, program), ...args], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'] },
  });
  return stdout + stderr;
}

const launched = new Set(/Available commands: (.+)/.exec(saidBy('tools/run.mjs', '?'))![1]!.split(', '));
const usage = saidBy(MAIN, '?');
const table = /^const commands[^]*?^\};/m.exec(read('server/src/command/command-line.ts'))![0];
const commands = [...table.matchAll(/^ {2}(?:async )?(\w+)[:(]/gm)].map(([, name]) => name!);
/** `user add`, `share close`, …: the commands that have subcommands. */
const verbs = ['user', 'code', 'order', 'share', 'contact'].flatMap((command) =>
  /^Usage: \w+ ([\w|-]+)/m
    .exec(saidBy(MAIN, command))![1]!
    .split('|')
    .map((verb) => `${command} ${verb}`),
);
const plain = commands.filter((name) => !verbs.some((verb) => verb.startsWith(`${name} `)));

test('every command of the product is available through the launcher and listed in its usage text', () => {
  expect(commands.length).toBeGreaterThan(8);
  expect(commands.filter((name) => !launched.has(name))).toEqual([]);
  const missing = [...plain, ...verbs].filter(
    (name) => !new RegExp(`^ .*\\b${name}(?![\\w-])`, 'm').test(usage),
  );
  expect(missing).toEqual([]);
});

test('docs/operations.md describes every command', () => {
  const section = /^## Commands$[^]*?(?=^## )/m.exec(read('docs/operations.md'))![0];
  expect([...plain, ...verbs].filter((name) => !section.includes(`\`${name}`))).toEqual([]);
});

test('every command mentioned in a text exists', () => {
  const scripts = new Set(Object.keys((JSON.parse(read('package.json')) as { scripts: object }).scripts));
  const known = new Set(verbs);
  const paths = globSync(['*.md', 'docs/**/*.md', 'content/**/*.md', 'locales/*.json'], { cwd: root });
  expect(paths.length).toBeGreaterThan(500);
  const strange = paths.flatMap((path) =>
    [...read(path).matchAll(/(npm run|npx bowerbird) ([a-z]+)(?: ([a-z-]+)\b)?/g)]
      .filter(([, how, name = '', word]) => {
        if (how === 'npm run') return !scripts.has(name);
        const isVerb = word !== undefined && verbs.some((verb) => verb.startsWith(`${name} `));
        return !launched.has(name) || (isVerb && !known.has(`${name} ${word}`));
      })
      .map(([typed]) => `${path}: ${typed}`),
  );
  expect(strange).toEqual([]);
});
