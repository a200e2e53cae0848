import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { operations, withSettings } from './settings.ts';

test('the settings in docs/operations.md match those that the server reads', async () => {
  const page = await readFile(operations, 'utf8');
  expect(page, 'npm run settings writes them').toBe(withSettings(page));
});
