import { expect, it } from 'vitest';
import { unshownKind, viewerKind } from './viewer-kind.ts';

const named = (name: string, thumbnail_link = '') => ({
  kind: 'drive#file' as const,
  name,
  mime_type: '',
  thumbnail_link,
  size: '1000',
});

it.each([
  ['a.jpg', 'image'],
  ['a.svg', 'image'],
  ['a.heic', 'none'],
  ['a.mkv', 'video'],
  ['a.flac', 'audio'],
  ['a.pdf', 'pdf'],
  ['README.md', 'markdown'],
  ['index.html', 'text'],
  ['a.csv', 'table'],
  ['a.tsv', 'table'],
  ['a.xlsx', 'none'],
  ['a.exe', 'none'],
  ['LICENSE', 'text'],
  ['.gitignore', 'text'],
])('%s is shown as %s', (name, kind) => {
  expect(viewerKind(named(name))).toBe(kind);
});

it('a picture that browsers can’t show is shown by its thumbnail', () => {
  expect(viewerKind(named('a.heic', '/thumbnail'))).toBe('image');
});

it('a file without an extension is inspected unless it is large', () => {
  expect(viewerKind({ ...named('core'), size: '500000000' })).toBe('none');
});

it('office documents and 3D models are told from other files that can’t be shown', () => {
  expect(
    ['a.docx', 'a.ods', 'a.key', 'a.stl', 'a.GLB', 'a.heic', 'a.exe'].map((name) => unshownKind(named(name))),
  ).toEqual(['office', 'office', 'office', 'model', 'model', 'photo', 'other']);
});
