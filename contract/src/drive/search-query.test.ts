import { expect, test } from 'vitest';
import { formatSearch, isEmptySearch, parseSearch, SEARCH_LIMITS, type SearchQuery } from './search-query.ts';

const GB = 1024 ** 3;

test.each<[text: string, words: string[], filters: SearchQuery['filters'], written?: string]>([
  ['', [], {}],
  ['  \u3000\n ', [], {}, ''],
  ['beach', ['beach'], {}],
  ['beach  sun ', ['beach', 'sun'], {}, 'beach sun'],
  ['海\u3000写真', ['海', '写真'], {}, '海 写真'],
  ['"my photos" sun', ['my photos', 'sun'], {}],
  ['“my photos”', ['my photos'], {}, '"my photos"'],
  ['„my photos“', ['my photos'], {}, '"my photos"'],
  ['12" vinyl', ['12"', 'vinyl'], {}, '"12""" vinyl'],
  ['"', ['"'], {}, '""""'],
  ['"half open', ['"half', 'open'], {}, '"""half" open'],
  ['"a "" b"', ['a " b'], {}],
  ['"" x', ['x'], {}, 'x'],
  ['100% _ * . -x', ['100%', '_', '*', '.', '-x'], {}],
  ['<3 >_> a>b', ['<3', '>_>', 'a>b'], {}],
  ['sun sun', ['sun'], {}, 'sun'],
  ['type:video', [], { types: ['video'] }],
  ['TYPE：Movies', [], { types: ['video'] }, 'type:video'],
  ['type:pdf,photos type:folder', [], { types: ['pdf', 'image', 'folder'] }, 'type:pdf,image,folder'],
  ['type:nothing', ['type:nothing'], {}],
  ['"type:video"', ['type:video'], {}],
  ['re:zero http://x.org 12:30', ['re:zero', 'http://x.org', '12:30'], {}],
  ['x:"a b"', ['x:a b'], {}, '"x:a b"'],
  ['ext:.PDF,docx', [], { extensions: ['pdf', 'docx'] }, 'ext:pdf,docx'],
  ['ext:a/b', ['ext:a/b'], {}],
  ['>1gb', [], { minSize: GB }],
  ['>=1.5GB', [], { minSize: 1.5 * GB }, '>1536mb'],
  ['>1,5гб <2ГБ', [], { minSize: 1.5 * GB, maxSize: 2 * GB }, 'size:1536mb..2gb'],
  ['<500kb', [], { maxSize: 500 * 1024 }],
  ['<500k', [], { maxSize: 500 * 1024 }, '<500kb'],
  ['size:1gb..2gb', [], { minSize: GB, maxSize: 2 * GB }],
  ['size:>1gb', [], { minSize: GB }, '>1gb'],
  ['size:..1mb', [], { maxSize: 1024 ** 2 }, '<1mb'],
  ['size:1000..', [], { minSize: 1000 }, '>1000b'],
  ['size:0', [], { maxSize: 0 }, '<0b'],
  ['size:..', ['size:..'], {}],
  ['size:big', ['size:big'], {}],
  ['>99999999999999999gb', ['>99999999999999999gb'], {}],
  [
    'after:2026-01-31 before:2027',
    [],
    { after: '2026-01-31', before: '2027-01-01' },
    'after:2026-01-31 before:2027-01-01',
  ],
  ['after:2026-02-30', ['after:2026-02-30'], {}],
  ['modified:7d', [], { modified: '7d' }],
  ['modified:Week', [], { modified: 'week' }, 'modified:week'],
  ['modified:0d', ['modified:0d'], {}],
  ['in:Photos', [], { in: 'Photos' }],
  ['in:"My photos" sea', ['sea'], { in: 'My photos' }, 'sea in:"My photos"'],
  ['in:"a ""b"""', [], { in: 'a "b"' }],
  ['is:starred', [], { is: ['starred'] }],
  ['is:Shared is:starred', [], { is: ['shared', 'starred'] }, 'is:shared,starred'],
  ['is:mine', ['is:mine'], {}],
  ['tag:Invoices', [], { tags: ['Invoices'] }],
  ['label:"to  do" tag:a tag:a sea', ['sea'], { tags: ['to do', 'a'] }, 'sea tag:"to do" tag:a'],
  ['tag:a,b', [], { tags: ['a,b'] }],
  ['a type:video b >1gb', ['a', 'b'], { types: ['video'], minSize: GB }, 'a b type:video >1gb'],
])('%s is understood, and written as it was meant', (text, words, filters, written = text) => {
  const query = parseSearch(text);
  expect(query).toEqual({ words, filters });
  expect(formatSearch(query)).toBe(written);
  expect(parseSearch(written)).toEqual(query);
  expect(isEmptySearch(query)).toBe(words.length === 0 && Object.keys(filters).length === 0);
});

test('any text can be parsed, and a written search is the same search', () => {
  const parts = [
    '"',
    '“',
    '”',
    ' ',
    ':',
    '：',
    'in',
    'tag',
    'type',
    'ext',
    'size',
    'is',
    '>',
    '<',
    '..',
    '1',
    'gb',
    ',',
    'pdf',
    'x',
    '\ud83d',
    '\u3000',
    'ß',
    '-',
  ];
  let seed = 7;
  const random = (below: number): number => (seed = (seed * 48_271) % 2_147_483_647) % below;
  for (let round = 0; round < 20_000; round++) {
    const text = Array.from({ length: random(12) }, () => parts[random(parts.length)]).join('');
    const query = parseSearch(text);
    expect(parseSearch(formatSearch(query)), JSON.stringify(text)).toEqual(query);
  }
});

test('what exceeds the limits is ignored, and the rest can still be written', () => {
  const query = parseSearch(`${'"" '.repeat(10)}${'"a""b" '.repeat(150)}in:"${'"" '.repeat(200)}"`);
  expect(query.words).toEqual(['a"b']);
  expect(parseSearch(Array.from({ length: 40 }, (_, at) => `w${at}`).join(' ')).words).toHaveLength(
    SEARCH_LIMITS.words,
  );
  expect(parseSearch('x'.repeat(5000)).words).toEqual([]);
  const most = parseSearch(
    `${'"'.repeat(2 * SEARCH_LIMITS.letters - 20)} ${'type:a,'.repeat(9)} in:${'"'.repeat(255)}`,
  );
  expect(formatSearch(most).length).toBeLessThanOrEqual(SEARCH_LIMITS.text);
  expect(parseSearch(formatSearch(most))).toEqual(most);
});
