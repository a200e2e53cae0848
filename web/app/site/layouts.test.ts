import { expect, test } from 'vitest';
import { BasicLayout } from './basic-layout.tsx';
import { layoutNamed } from './layouts.ts';
import { SimpleLayout } from './simple-layout.tsx';

test('a page gets the layout that it names, and the default layout for unknown names', () => {
  expect(layoutNamed('simple')).toBe(SimpleLayout);
  for (const name of ['basic', 'nothing', 'toString', '', undefined, 3])
    expect(layoutNamed(name)).toBe(BasicLayout);
});
