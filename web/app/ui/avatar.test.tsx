import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Avatar } from './avatar.tsx';

/** Letter and colors of the avatar of a name. */
function avatarOf(name: string): { letter: string; colors: string } {
  const html = renderToStaticMarkup(<Avatar name={name} />);
  const [, style = '', letter = ''] = /style="([^"]*)"[^>]*>([^<]*)</.exec(html) ?? [];
  return { letter, colors: style };
}

test.each([
  ['Ann Bower', 'An**er'],
  ['ann', 'a**'],
  ['Ülkü', 'Ü**ü'],
  ['青い鳥', '青**'],
  ['𠮷田', '𠮷**'],
  ['7 birds', '7**s'],
])('the avatar of %s is the same on a share, where the name is masked as %s', (name, masked) => {
  expect(avatarOf(masked)).toEqual(avatarOf(name));
});

test('neighboring letters have different colors, and upper and lower case the same', () => {
  const colors = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => avatarOf(letter).colors);
  for (const [at, color] of colors.entries()) expect(color).not.toBe(colors[at + 1]);
  expect(avatarOf('ann')).toEqual(avatarOf('Ann'));
});

test('a name without letters or digits still has an avatar', () => {
  expect(avatarOf('***').letter).toBe('·');
  expect(avatarOf('').letter).toBe('·');
  expect(avatarOf(' ("ann")').letter).toBe('A');
});
