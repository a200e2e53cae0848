import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { LOCALES } from '@bowerbird/contract';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { checkTexts } from './texts.ts';

let root: string;
const ARTICLE = 'content/help/start/sign-up';
const front = (title: string): string => `---\ntitle: ${title}\ndescription: What it is about.\n---\n`;

function plant(files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bowerbird-texts-'));
  plant({
    'web/app/routes.ts': "route('faq', 'content/faq.tsx'), route('drive/all/:folderId?', 'drive/files.tsx')",
    'content/help/contents.json': '[{"category": "start", "articles": ["sign-up"]}]',
  });
  for (const locale of LOCALES)
    plant({
      [`content/help/start/${locale}.md`]: front(locale),
      [`${ARTICLE}/${locale}.md`]: `${front(locale)}## ${locale}\n\n1. [a](/faq)\n2. [b](/drive/all)\n`,
    });
});
afterEach(() => rmSync(root, { recursive: true }));

test('texts that are complete in every language have no findings', () => {
  expect(checkTexts(root)).toEqual([]);
});

test.each<[string, Record<string, string>, string]>([
  ['lacks a language', {}, `${ARTICLE}/ja.md: is missing`],
  ['lost a step', { 'ru.md': '## ru\n\n1. [a](/faq) [b](/drive/all)\n' }, 'in its items: 1, not 2'],
  ['lost a heading', { 'ru.md': '1. [a](/faq)\n2. [b](/drive/all)\n' }, 'in its headings'],
  ['leads elsewhere', { 'ru.md': '## ru\n\n1. [a](/faq)\n2. [b](/faq)\n' }, 'in its links'],
  ['leads nowhere', { 'en-US.md': '## en\n\n1. [a](/nowhere)\n2. [b](/faq)\n' }, 'leads to /nowhere'],
  ['has an unknown placeholder', { 'en-US.md': '{{name}}' }, 'the unknown placeholder {{name}}'],
  ['has HTML', { 'en-US.md': 'a <b>word</b>' }, 'contains HTML'],
])('a text that %s is reported', (_, bodies, problem) => {
  for (const [name, body] of Object.entries(bodies)) plant({ [`${ARTICLE}/${name}`]: front('A') + body });
  if (Object.keys(bodies).length === 0) rmSync(join(root, ARTICLE, 'ja.md'));
  expect(checkTexts(root).join('\n')).toContain(problem);
});

test('an unlisted text is reported', () => {
  plant({ 'content/help/start/lost/en-US.md': front('Lost') });
  expect(checkTexts(root)).toEqual(['content/help/start/lost: is in no contents.json']);
});
