import { describe, expect, test } from 'vitest';
import { renderMarkdown } from './render.server.ts';

const PLACE = {
  pathname: '/ru/help-center/start/sign-up',
  origin: 'https://drive.example',
  operator: { name: 'Ann & Co', contact: '' },
};

describe('a text of the library as a page', () => {
  test('keeps its reader in their language, and shows the way out as one', () => {
    const { html } = renderMarkdown('[a](/faq#lost) [b](https://example.org/?a=1&b=2)', PLACE);
    expect(html).toContain('<a href="/ru/faq#lost">a</a>');
    expect(html).toContain('<a href="https://example.org/?a=1&amp;b=2" target="_blank" rel="noopener">b</a>');
    expect(renderMarkdown('[a](/faq)', { ...PLACE, pathname: '/faq' }).html).toContain('href="/faq"');
  });

  test('names the place of each heading once, by its words or as it says itself', () => {
    const { html, headings } = renderMarkdown(
      '## Имя и *пароль*\n\n## Имя и пароль\n\n## Copy {#copy-link}',
      PLACE,
    );
    expect(headings.map(({ id }) => id)).toEqual(['имя-и-пароль', 'имя-и-пароль-2', 'copy-link']);
    expect(headings[0]!.text).toBe('Имя и пароль');
    expect(html).not.toContain('{#');
  });

  test('breaks a long name between its words where a column is narrow, and nothing in it is markup', () => {
    const { html } = renderMarkdown('`pp_trusted_device` `a < b & "c"`', PLACE);
    expect(html).toContain('<code>pp_<wbr>trusted_<wbr>device</code>');
    expect(html).toContain('<code>a &lt; b &amp; &quot;c&quot;</code>');
  });

  test('says who runs the site in words that can’t become a part of the page', () => {
    const name = '<img src=x onerror=alert(1)>';
    const operator = { name, contact: 'a@b.example' };
    const { html } = renderMarkdown('{{operator}} at {{site}}, {{contact}}, {{other}}', {
      ...PLACE,
      operator,
    });
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;img');
    expect(html).toContain('https://drive.example');
    expect(html).toContain('{{other}}');
    expect(renderMarkdown('{{operator}}, {{contact}}', PLACE).html).toContain('Ann &amp; Co');
  });

  test('lets wide tables be walked by keys', () => {
    const { html } = renderMarkdown('| a | b |\n|---|---|\n| 1 | 2 |', PLACE);
    expect(html).toContain('<div class="table-frame" tabindex="0"><table><thead><tr><th>a</th>');
  });
});
