import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { ServerCog } from 'lucide-react';
import { expect, test } from 'vitest';
import createIcon from '../../icon-component.ts';
import { leanIcon } from '../../icons-one-by-one.ts';

const library = join(dirname(createRequire(import.meta.url).resolve('lucide-react')), '../esm');
const code = leanIcon(readFileSync(join(library, 'icons/server-cog.mjs'), 'utf8'));
/** The icon as a build creates it. */
const Lean = createIcon(
  // eslint-disable-next-line typescript/no-implied-eval
  new Function(`return ${/const __iconData = (\{[^;]*\});/.exec(code)![1]!}`)() as never,
);
/** Attributes in any order, and without the library's own names of classes. */
const picture = (markup: string): string[] =>
  markup
    .replaceAll(/ ?lucide-[\w-]+/g, '')
    .match(/<\/?\w+|[\w-]+="[^"]*"/g)!
    .toSorted();

test.each([
  {},
  { size: 20, className: 'size-4 shrink-0' },
  { 'aria-label': 'Administration' },
  { 'aria-hidden': true as const, style: { width: 12 } },
])('an icon of a build looks like that of the library: %j', (properties) => {
  const library = renderToStaticMarkup(createElement(ServerCog, properties));
  expect(picture(renderToStaticMarkup(createElement(Lean, properties)))).toEqual(picture(library));
});

test('the module of an icon has no names and no random keys', () => {
  expect(code).not.toMatch(/name:|size:|key: "|createLucideIcon\.mjs/);
  expect(code).toContain('key: 11 }');
});
