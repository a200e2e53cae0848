import hljs from 'highlight.js/lib/core';
import javascript from 'highlight.js/lib/languages/javascript';
import xml from 'highlight.js/lib/languages/xml';
import { expect, test } from 'vitest';
import { languageOf } from './languages.ts';
import { linesOfTokens } from './tokens.ts';

hljs.registerLanguage('javascript', javascript);
hljs.registerLanguage('xml', xml);
const tokens = (code: string, language = 'javascript') =>
  linesOfTokens(hljs.highlight(code, { language }).value);
const text = (lines: ReturnType<typeof tokens>) =>
  lines.map((line) => line.map(([, piece]) => piece).join('')).join('\n');

test('a program keeps its text, line by line, and its parts have colors', () => {
  const code = "// a < b\nconst x = 'a&b'; /* 1\n2 */\n\nreturn `${x}`";
  const lines = tokens(code);
  expect(text(lines)).toBe(code);
  expect(lines[0]).toEqual([['comment', '// a < b']]);
  expect(lines[1]![0]).toEqual(['keyword', 'const']);
  expect(lines[2]).toEqual([['comment', '2 */']]);
  expect(lines[3]).toEqual([]);
});

test('markup in a program stays text', () => {
  const code = '<script>alert("x")</script>\n<span class="hljs-keyword">&amp;&#x27;&lt;/span></span>';
  expect(text(tokens(code, 'xml'))).toBe(code);
  expect(text(tokens(code))).toBe(code);
});

test('the language follows from the extension, or from the whole name', () => {
  expect(languageOf('a.TSX')).toBe('typescript');
  expect(languageOf('Dockerfile')).toBe('dockerfile');
  expect(languageOf('notes.txt')).toBeUndefined();
  expect(languageOf('LICENSE')).toBeUndefined();
});
