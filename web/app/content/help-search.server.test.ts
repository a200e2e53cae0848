import { describe, expect, test } from 'vitest';
import type { LibraryText, Locale, PageServices } from '@bowerbird/contract';
import { searchHelp } from './help-search.server.ts';

const ARTICLES: Record<string, Partial<LibraryText>> = {
  'help/start/password': {
    title: 'Your password',
    description: 'Choose one that is long.',
    body: '## Lost it?\n\nAsk for a **new one** by mail; a passkey\nneeds none.',
  },
  'help/start/sharing': {
    title: 'Share a folder',
    description: 'With a link.',
    body: '## A password for it\n\nVisitors of the Café type it before they see what is in it & all below.',
  },
  'help/start/links': { title: 'Links', description: 'About a password', body: 'Nothing more.' },
  'help/start/end': {
    title: 'The end',
    description: 'Of it all.',
    body: `${'Long before it comes the beginning of the story. '.repeat(8)}The password ends here.`,
  },
};

function search(query: string, locale: Locale = 'en-US', texts = ARTICLES) {
  const articles = Object.keys(texts).map((path) => path.split('/')[2]!);
  const library: PageServices['library'] = {
    contents: { help: [{ category: 'start', articles }], faq: [], blog: [], policy: [], page: [] },
    read: (path) => {
      const text = path === 'help/start' ? { title: 'Start' } : texts[path];
      return text && { locale, title: '', description: '', change: '', body: '', ...text };
    },
  };
  const services = { library, locale, origin: '', operator: { name: 'Ann', contact: '' } };
  return searchHelp(services as unknown as PageServices, query);
}

const titles = (query: string): string[] => search(query).map(({ title }) => title);
const shown = (found: ReturnType<typeof search>): string[] =>
  found.map(
    ({ excerpt }) => excerpt?.parts.map(({ text, isFound }) => (isFound ? `[${text}]` : text)).join('') ?? '',
  );

describe('the help search', () => {
  test('lists articles about the word first, and those that mention it last', () => {
    expect(titles('password')).toEqual(['Your password', 'Links', 'Share a folder', 'The end']);
    expect(search('password')[0]).toMatchObject({ path: '/help-center/start/password', category: 'Start' });
  });

  test('finds articles with all of the words, anywhere in the text', () => {
    expect(titles('passkey password')).toEqual(['Your password']);
    expect(titles('folder visitors')).toEqual(['Share a folder']);
    expect(titles('passkey folder')).toEqual([]);
    expect(titles('  ')).toEqual([]);
    expect(titles('.*')).toEqual([]);
  });

  test('shows the matching passage in its original spelling', () => {
    expect(shown(search('passkey'))).toEqual(['Ask for a new one by mail; a [passkey] needs none.']);
    expect(shown(search('ALL cafe'))).toEqual([
      'Visitors of the [Café] type it before they see what is in it & [all] below.',
    ]);
    expect(shown(search('your'))).toEqual(['']);
    const [end] = search('ends');
    expect(end!.excerpt).toMatchObject({ isBegun: true, isCut: false });
    expect(shown([end!])[0]).toMatch(/^\w+ .{0,60}The password \[ends\] here\.$/);
  });

  test('prefers a matching sentence to a matching line', () => {
    const drives = {
      'help/start/a': {
        title: 'Drives',
        body: '- WebDAV\n- S3\n\nAny program that speaks WebDAV may come in.',
      },
      'help/start/b': { title: 'Names', body: '- WebDAV\n- S3' },
    };
    expect(shown(search('webdav', 'en-US', drives))).toEqual([
      'Any program that speaks [WebDAV] may come in.',
      '[WebDAV]',
    ]);
  });

  test('ignores case and accents', () => {
    expect(titles('CAFÉ')).toEqual(['Share a folder']);
    expect(titles('cafe')).toEqual(['Share a folder']);
    const russian = { 'help/start/a': { title: 'Счёт', body: 'Всё о нём.' } };
    expect(search('счет все', 'ru', russian)).toHaveLength(1);
  });

  test('needs no spaces in languages without them', () => {
    const japanese = {
      'help/start/a': { title: '共有', body: 'リンクを共有するとき、パスコードを付けられます。' },
    };
    expect(shown(search('パスコード共有', 'ja', japanese))).toEqual([
      'リンクを[共有]するとき、[パスコード]を付けられます。',
    ]);
    const chinese = { 'help/start/a': { title: '分享', body: '您可以为分享链接设置提取码。' } };
    expect(search('分享提取码', 'zh-CN', chinese)).toHaveLength(1);
    const korean = { 'help/start/a': { title: '공유', body: '공유 링크를 복사하세요.' } };
    expect(search('공유링크', 'ko', korean)).toHaveLength(1);
    expect(search('カキ', 'ja', { 'help/start/a': { title: 'ガギ' } })).toHaveLength(0);
  });
});
