import { expect, test } from 'vitest';
import { digest, sorted } from './once.ts';

const digestOf = (value: unknown): string => digest(sorted(value));

test('a request is equal in any order of its fields, at any depth', () => {
  const first = { body: { name: 'a', to: { parent_id: 'V1', kind: 'x' }, ids: [{ a: 1, b: 2 }] }, query: {} };
  const second = {
    query: {},
    body: { ids: [{ b: 2, a: 1 }], to: { kind: 'x', parent_id: 'V1' }, name: 'a' },
  };
  expect(digestOf(first)).toBe(digestOf(second));
});

test('another value, another order of a list, or an extra field makes another request', () => {
  const request = { ids: ['a', 'b'], to: { parent_id: 'V1' } };
  for (const other of [
    { ids: ['b', 'a'], to: { parent_id: 'V1' } },
    { ids: ['a', 'b'], to: { parent_id: 'V2' } },
    { ids: ['a', 'b'], to: { parent_id: 'V1' }, conflict: 'fail' },
    { ids: ['a', 'b'], to: {} },
  ])
    expect(digestOf(other)).not.toBe(digestOf(request));
});
