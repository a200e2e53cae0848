import { expect, test } from 'vitest';
import { indent, indentationOf, type Replacement } from './indenting.ts';

const applied = (text: string, { from, to, text: by }: Replacement): string =>
  text.slice(0, from) + by + text.slice(to);

test('Tab indents as the text does, one line or several, and Shift+Tab undoes it', () => {
  expect([indentationOf('a\n\tb'), indentationOf('a\n    b'), indentationOf('plain')]).toEqual([
    '\t',
    '    ',
    '  ',
  ]);
  const text = 'one\ntwo\nthree';
  expect(applied(text, indent(text, 3, 3, false)!)).toBe('one  \ntwo\nthree');
  const twice = indent(text, 1, 6, false)!;
  expect(applied(text, twice)).toBe('  one\n  two\nthree');
  expect(twice.selection).toEqual([3, 10]);
  const out = applied(text, twice);
  expect(applied(out, indent(out, 3, 10, true)!)).toBe(text);
  expect(indent(text, 0, 0, true)).toBeUndefined();
});
