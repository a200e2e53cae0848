import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { OF_OTHERS } from '../../shared-chunks.ts';

test('the share page loads no endpoints of other domains', () => {
  const contract = join(import.meta.dirname, '../../../contract/src');
  const withEndpoints = globSync('**/*.ts', { cwd: contract })
    .filter((file) => !file.startsWith('share/') && !file.endsWith('.test.ts'))
    .filter((file) => /^export const \w+Api = \{/m.test(readFileSync(join(contract, file), 'utf8')));
  expect(withEndpoints.length).toBeGreaterThan(30);
  expect(withEndpoints.filter((file) => !OF_OTHERS.test(`/contract/src/${file}`))).toEqual([]);
});
