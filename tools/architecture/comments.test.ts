import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findClauses } from './comments.ts';

test('comments start with a noun or a verb', async () => {
  expect(await findClauses(join(import.meta.dirname, '..', '..'))).toEqual([]);
});

test('a comment that starts with a clause is found in each form, continuation lines and texts are not', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bowerbird-comments-'));
  await writeFile(join(folder, '.gitignore'), 'node_modules/\n');
  // The marks keep these lines from being found in this file.
  const lines = [
    '/** @What is planted. */',
    '/**',
    ' * @Whether it is found.',
    ' */',
    '// @Where a line begins.',
    '// A line that goes on',
    '// @Where the next one begins.',
    "const address = 'https://example.org'; // @How it ends.",
    "const text = 'http:// @What is no comment';",
    '/* @Whoever reads it. */',
    '/** Returns what is wanted. */',
  ];
  await writeFile(join(folder, 'planted.ts'), lines.join('\n').replaceAll('@', ''));
  expect(await findClauses(folder)).toEqual([
    'planted.ts:1 What is planted. */',
    'planted.ts:2 Whether it is found.',
    'planted.ts:5 Where a line begins.',
    'planted.ts:8 How it ends.',
    'planted.ts:10 Whoever reads it. */',
  ]);
  await rm(folder, { recursive: true });
});
