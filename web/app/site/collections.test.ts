import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TEXT_PAGES } from './collections.ts';

test('every text page in content is known to the links of the public pages', () => {
  const file = join(import.meta.dirname, '../../../content/page/contents.json');
  const names = JSON.parse(readFileSync(file, 'utf8')) as string[];
  expect([...TEXT_PAGES].toSorted()).toEqual(names.map((name) => `/${name}`).toSorted());
});
