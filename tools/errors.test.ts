import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { errorsPage, errorsText } from './errors.ts';

test('docs/errors.md matches the error catalog', async () => {
  expect(await readFile(errorsPage, 'utf8'), 'npm run errors writes it').toBe(await errorsText());
});
