import { expect, test } from 'vitest';
import { actionOf } from './page-actions.ts';

test('an address has a known action or none', () => {
  expect(actionOf(new URLSearchParams('action=create_task'))).toBe('create_task');
  for (const query of ['', 'action=', 'action=toString', 'action=__proto__', 'action=CREATE_TASK'])
    expect(actionOf(new URLSearchParams(query))).toBeUndefined();
});
