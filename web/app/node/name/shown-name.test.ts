import { expect, it } from 'vitest';
import { shownName } from './shown-name.ts';

it('shows a symbol for every control character, and leaves any other text unchanged', () => {
  expect(shownName('two\nlines\u007f.txt')).toBe('two␊lines␡.txt');
  expect(shownName('next\u0085line\u2028.txt')).toBe('next<0085>line<2028>.txt');
  for (const name of ['plain.txt', 'é ü ñ', 'ファイル.txt', '👩‍👩‍👧‍👦.png', '\u202eright to left'])
    expect(shownName(name)).toBe(name);
});
