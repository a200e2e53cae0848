import { describe, expect, test } from 'vitest';
import { newNames, placeOfName, type RenameItem } from './new-names.ts';
import { NO_RULES, type RenameRules } from './rename-rules.ts';

const item = (name: string, kind = 'drive#file', parent_id = ''): RenameItem => ({
  id: `id of ${parent_id}/${name}`,
  kind,
  name,
  parent_id,
  modified_time: new Date(2024, 1, 29, 23, 30).toISOString(),
});
const renamed = (
  names: readonly string[],
  rules: Partial<RenameRules>,
  { locale = 'en-US', kind = 'drive#file' } = {},
): readonly string[] =>
  newNames(
    names.map((name) => item(name, kind)),
    { ...NO_RULES, ...rules },
    locale,
    new Set(),
  ).names;

describe('rules', () => {
  test('without rules nothing changes', () => {
    const names = ['a.txt', '.bashrc', 'b', 'x.tar.gz'];
    const preview = newNames(
      names.map((name) => item(name)),
      NO_RULES,
      'en-US',
      new Set(),
    );
    expect(preview.names).toEqual(names);
    expect(preview.changed).toBe(0);
  });

  test.each([
    [
      'text is found literally, whatever its characters',
      ['a.b(1).txt'],
      { find: '.b(1)', replacement: '$&' },
      ['a$&.txt'],
    ],
    ['case is ignored unless it counts', ['IMG.txt'], { find: 'img', replacement: 'x' }, ['x.txt']],
    [
      'case counts if asked',
      ['IMG img.txt'],
      { find: 'img', replacement: 'x', matchesCase: true },
      ['IMG x.txt'],
    ],
    ['the extension is left alone', ['jpg.jpg'], { find: 'jpg', replacement: 'x' }, ['x.jpg']],
    ['unless it is included', ['jpg.jpg'], { find: 'jpg', replacement: 'x', inExtension: true }, ['x.x']],
    [
      'expressions have groups',
      ['2024-02.txt'],
      { find: '(\\d+)-(\\d+)', replacement: '$2 $1', isRegex: true },
      ['02 2024.txt'],
    ],
    ['characters are removed from the start', ['abcdef.txt'], { removeCount: 2, removeAt: 1 }, ['adef.txt']],
    ['or from the end', ['abcdef.txt'], { removeCount: 2, removeAt: 1, removeFromEnd: true }, ['abcf.txt']],
    ['what people see as one character is one', ['👩‍👩‍👧x.txt'], { removeCount: 1 }, ['x.txt']],
    ['text is inserted at a position', ['abc.txt'], { insert: '-', insertAt: 1 }, ['a-bc.txt']],
    ['or before the extension', ['abc.txt'], { insert: '!', insertFromEnd: true }, ['abc!.txt']],
    [
      'numbers follow the order, with a step and digits',
      ['b.txt', 'a.txt'],
      { number: 'after', start: 8, step: 2, digits: 3 },
      ['b 008.txt', 'a 010.txt'],
    ],
    ['numbers replace names', ['b.jpg', 'a'], { number: 'replace' }, ['01.jpg', '02']],
    ['the date comes first', ['a.txt'], { date: 'before', separator: '_' }, ['2024-02-29_a.txt']],
    [
      'every word gets a capital letter',
      ['the QUICK-brown fox’s.txt'],
      { letters: 'title' },
      ['The Quick-Brown Fox’s.txt'],
    ],
    [
      'only the first letter is a capital one',
      ['(THE quick.TXT'],
      { letters: 'sentence' },
      ['(The quick.TXT'],
    ],
    [
      'an extension changes',
      ['a.JPEG', 'b'],
      { extension: 'change', newExtension: '.jpg' },
      ['a.jpg', 'b.jpg'],
    ],
    ['an extension is removed', ['a.jpg'], { extension: 'change', newExtension: '' }, ['a']],
    ['names are cleaned', ['  a \t b<c>:d .txt'], { cleans: true }, ['a b-c-d.txt']],
  ] as const)('%s', (_, names, rules, expected) => {
    expect(renamed(names, rules)).toEqual(expected);
  });

  test('letters change as in the language of the page', () => {
    expect(renamed(['ISI.txt'], { letters: 'lower' }, { locale: 'tr' })).toEqual(['ısı.txt']);
    expect(renamed(['ISI.txt'], { letters: 'lower' })).toEqual(['isi.txt']);
  });

  test('the name of a folder has no extension', () => {
    expect(renamed(['v1.2'], { insert: '!', insertFromEnd: true }, { kind: 'drive#folder' })).toEqual([
      'v1.2!',
    ]);
  });

  test('an invalid expression is an error', () => {
    expect(() => renamed(['a'], { find: '(', isRegex: true })).toThrow(SyntaxError);
  });
});

describe('names that can’t be given', () => {
  test('come first, with the reason', () => {
    const items = [item('a.txt'), item('b.txt'), item('c.txt', 'drive#file', 'f'), item('keep.txt')];
    const rules = { ...NO_RULES, find: '^[abc]', replacement: 'keep', isRegex: true };
    const { troubles, rows, changed } = newNames(items, rules, 'en-US', new Set());
    expect([...troubles]).toEqual([
      [0, 'twice'],
      [1, 'twice'],
    ]);
    expect(rows).toEqual([0, 1, 2, 3]);
    expect(changed).toBe(3);
  });

  test('are those of other items, empty ones and those with slashes', () => {
    const taken = new Set([placeOfName('', 'x\u0301.txt')]);
    const trouble = (replacement: string) => [
      ...newNames([item('a.txt')], { ...NO_RULES, find: 'a', replacement }, 'en-US', taken).troubles.values(),
    ];
    expect(trouble('x\u0301'.normalize('NFC'))).toEqual(['taken']);
    expect(trouble('a/b')).toEqual(['file_name_invalid']);
    expect(trouble('x'.repeat(260))).toEqual(['file_name_too_long']);
    expect(trouble('b')).toEqual([]);
  });

  test('items can exchange their names', () => {
    const rules = { ...NO_RULES, find: '^(.)(.)$', replacement: '$2$1', isRegex: true };
    const { names, troubles } = newNames([item('ab'), item('ba')], rules, 'en-US', new Set());
    expect(names).toEqual(['ba', 'ab']);
    expect(troubles.size).toBe(0);
  });
});

test('10,000 names take a fraction of a second', () => {
  const items = Array.from({ length: 10_000 }, (_, at) => item(`Photo ${at} é.jpg`));
  const rules = {
    ...NO_RULES,
    find: 'photo',
    replacement: 'img',
    letters: 'title',
    number: 'after',
  } as const;
  const started = performance.now();
  expect(newNames(items, rules, 'en-US', new Set()).changed).toBe(10_000);
  expect(performance.now() - started).toBeLessThan(3000);
});
