import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { LOCALES } from '@bowerbird/contract';
import type { Catalogue } from '#app/i18n/catalogue.ts';
import { PageFrame } from '#app/i18n/page-frame.tsx';
import { FRAME } from '#app/testing/page-frame.ts';
import { HomeDemo } from './home-demo.tsx';

/** Names of the demo's files as a screen reader reads them. */
async function namesIn(locale: (typeof LOCALES)[number]): Promise<string[]> {
  const messages = (await import(`../../../../locales/${locale}.json`, { with: { type: 'json' } })) as {
    default: Catalogue;
  };
  const html = renderToStaticMarkup(
    <PageFrame value={{ ...FRAME, locale, catalogue: messages.default }}>
      <HomeDemo />
    </PageFrame>,
  );
  return [...html.matchAll(/<input\b(?=[^>]*type="checkbox")[^>]*aria-label="([^"]*)"/g)].map(
    ([, name]) => name!,
  );
}

const ENGLISH = [
  'Trip to Hokkaido',
  'Bowers of the Forest.mkv',
  'Morning Chorus, Take 3.flac',
  'Poster A2.png',
  'Program Notes (EN, 日本語).pdf',
];

test.each(LOCALES)('the files in the home page’s demo have names in %s', async (locale) => {
  const names = await namesIn(locale);
  if (locale === 'en-US') {
    expect(names).toEqual(ENGLISH);
    return;
  }
  expect(names.map((name) => /\.\w+$/.exec(name)?.[0])).toEqual([undefined, '.mkv', '.flac', '.png', '.pdf']);
  // “Poster” is the word in several languages.
  expect(names.filter((name) => ENGLISH.includes(name) && name !== 'Poster A2.png')).toEqual([]);
});
