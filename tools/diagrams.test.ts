import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { architecture, withDiagrams } from './diagrams.ts';

test('the diagrams in docs/architecture.md show the current imports', async () => {
  const page = await readFile(architecture, 'utf8');
  expect(page, 'npm run diagrams draws them').toBe(withDiagrams(page));
});
