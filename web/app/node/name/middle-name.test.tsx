import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { MiddleName, TwoLineName } from './middle-name.tsx';
import type { Mark } from './marks.ts';

/** Rendered pieces of a name, in order; the browser may shorten the first, but not the others. */
function piecesOf(name: string, kind: 'file' | 'folder', room: number): string[] {
  const html = renderToStaticMarkup(<TwoLineName name={name} kind={kind} room={room} />);
  expect(html).toContain(`title="${name}"`);
  return [...html.matchAll(/<bdi[^>]*>([^<]*)<\/bdi>/g)].map(([, text]) => text!);
}

test('a name that fits is shown in one piece', () => {
  expect(piecesOf('Letter.txt', 'file', 40)).toEqual(['Letter', '.txt']);
});

test('a long name without spaces keeps the end of its stem, with or without an extension', () => {
  const name = 'IMG_20261129_142233_panorama_edited_final_copy';
  expect(piecesOf(`${name}.jpeg`, 'file', 30).slice(-2)).toEqual(['l_copy', '.jpeg']);
  expect(piecesOf(name, 'folder', 30).at(-1)).toBe('l_copy');
});

test('a long name breaks between words and keeps its end', () => {
  const [first, ...rest] = piecesOf('Minutes of the meeting about the new garden house.pdf', 'file', 36);
  expect(first).toBe('Minutes of the');
  expect(rest.slice(-2)).toEqual(['house', '.pdf']);
});

test('what a search found is marked in every piece of a name, however it is shown', () => {
  const name = 'Minutes of the meeting about the new garden house.pdf';
  const marks: Mark[] = [
    [11, 17],
    [44, 53],
  ];
  const marked = (html: string): string[] =>
    [...html.matchAll(/<mark[^>]*>([^<]*)<\/mark>/g)].map(([, text]) => text!);
  const twoLines = renderToStaticMarkup(<TwoLineName name={name} kind="file" room={36} marks={marks} />);
  const oneLine = renderToStaticMarkup(<MiddleName name={name} kind="file" marks={marks} />);
  // The space at which the line ends is not shown.
  expect(marked(twoLines).join('|')).toBe('the|me|house|.pdf');
  expect(marked(oneLine).join('|')).toBe('the me|house|.pdf');
});

test('the first part that a search found is in a piece of its own, which is never shortened', () => {
  const name = 'Minutes of the meeting about the new garden house and the fence around it.pdf';
  const from = name.indexOf('garden');
  const marks: Mark[] = [[from, from + 'garden'.length]];
  const pieces = (html: string): string[] =>
    [...html.matchAll(/<bdi([^>]*)>(.*?)<\/bdi>/g)].map(
      ([, attributes, text]) =>
        `${attributes!.includes('shrink-0') ? 'fixed' : 'short'} ${text!.replaceAll(/<[^>]*>/g, '')}`,
    );
  const oneLine = renderToStaticMarkup(<MiddleName name={name} kind="file" marks={marks} />);
  expect(pieces(oneLine)).toEqual([
    'short Minutes of the meeting about the new ',
    'fixed garden',
    'short  house and the fence aro',
    'fixed und it',
    'fixed .pdf',
  ]);
  const twoLines = renderToStaticMarkup(<TwoLineName name={name} kind="file" room={36} marks={marks} />);
  expect(pieces(twoLines)).toContain('fixed garden');
  // At the start of a name it's visible anyway.
  const start = renderToStaticMarkup(<MiddleName name={name} kind="file" marks={[[0, 7]]} />);
  expect(pieces(start)).toHaveLength(3);
});
