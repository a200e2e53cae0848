import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { errorsPage, errorsText } from './errors.ts';

test('docs/errors.md says what the catalogue of errors says', async () => {
  expect(await readFile(errorsPage, 'utf8'), 'npm run errors writes it').toBe(await errorsText());
});
