import { describe, expect, test } from 'vitest';
import { renderMarkdown } from './render.server.ts';

const PLACE = {
  pathname: '/ru/help-center/start/sign-up',
  origin: 'https://drive.example',
  operator: { name: 'Ann & Co', contact: '' },
};

describe('a rendered text', () => {
  test('keeps links in the reader’s language, and opens external links in a new tab', () => {
    const { html } = renderMarkdown('[a](/faq#lost) [b](https://example.org/?a=1&b=2)', PLACE);
    expect(html).toContain('<a href="/ru/faq#lost">a</a>');
    expect(html).toContain('<a href="https://example.org/?a=1&amp;b=2" target="_blank" rel="noopener">b</a>');
    expect(renderMarkdown('[a](/faq)', { ...PLACE, pathname: '/faq' }).html).toContain('href="/faq"');
  });

  test('gives each heading a unique anchor, from its words or from its own id', () => {
    const { html, headings } = renderMarkdown(
      '## Имя и *пароль*\n\n## Имя и пароль\n\n## Copy {#copy-link}',
      PLACE,
    );
    expect(headings.map(({ id }) => id)).toEqual(['имя-и-пароль', 'имя-и-пароль-2', 'copy-link']);
    expect(headings[0]!.text).toBe('Имя и пароль');
    expect(html).not.toContain('{#');
  });

  test('can break long identifiers between their words, and escapes code', () => {
    const { html } = renderMarkdown('`pp_trusted_device` `a < b & "c"`', PLACE);
    expect(html).toContain('<code>pp_<wbr>trusted_<wbr>device</code>');
    expect(html).toContain('<code>a &lt; b &amp; &quot;c&quot;</code>');
  });

  test('inserts the name of the administrator escaped', () => {
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

  test('lets wide tables be scrolled by keyboard', () => {
    const { html } = renderMarkdown('| a | b |\n|---|---|\n| 1 | 2 |', PLACE);
    expect(html).toContain('<div class="table-frame" tabindex="0"><table><thead><tr><th>a</th>');
  });
});
