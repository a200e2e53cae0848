import { expect, it } from 'vitest';
import { markedParts, shownMarks } from './marks.ts';

const shown = (piece: string, at: number, ...marks: [number, number][]): string =>
  markedParts(piece, at, marks)
    .map(({ text, isMarked }) => (isMarked ? `[${text}]` : text))
    .join('');

it('marks of a name are divided among its pieces', () => {
  expect(shown('holiday', 0, [0, 4])).toBe('[holi]day');
  expect(shown('holi', 0, [2, 6])).toBe('ho[li]');
  expect(shown('day.jpg', 4, [2, 6])).toBe('[da]y.jpg');
  expect(shown('.jpg', 7, [2, 6])).toBe('.jpg');
  expect(shown('a b a', 0, [0, 1], [4, 5])).toBe('[a] b [a]');
});

it('a piece contains all of its text once, whatever the marks are', () => {
  for (const marks of [
    [[3, 1]],
    [[-4, 2]],
    [[2, 99]],
    [
      [0, 4],
      [2, 6],
    ],
    [[9, 12]],
  ] as [number, number][][])
    expect(
      markedParts('holiday', 0, marks)
        .map(({ text }) => text)
        .join(''),
    ).toBe('holiday');
});

it('a control character before a mark moves it as far as its displayed form is longer', () => {
  const name = 'a\u0085b\nc';
  expect(
    shownMarks(name, [
      [2, 3],
      [4, 5],
    ]),
  ).toEqual([
    [7, 8],
    [9, 10],
  ]);
});
