import { expect, test } from 'vitest';
import { idsSaid } from './page-query.ts';

test('ids come without the gaps between them', () => {
  expect(idsSaid(new URLSearchParams('file_ids=a,,b,'), 'file_ids')).toEqual(['a', 'b']);
  expect(idsSaid(new URLSearchParams(''), 'task_id')).toEqual([]);
});
