import { createElement, type ReactElement } from 'react';
import type { File } from '@bowerbird/contract';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToString } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { PageFrame } from '#app/i18n/page-frame.tsx';
import { FRAME } from '#app/testing/page-frame.ts';
import { useEntries } from '../entries/entries.ts';
import { useSelecting } from '../entries/use-selecting.ts';
import { Explorer } from './explorer.tsx';
import type { Column } from '../columns/column.ts';
import type { ExplorerView } from './explorer-props.ts';

/** Time zone of a reader whose date differs from the server's. */
const IN_TOKYO = { ...FRAME, timeZone: 'Asia/Tokyo' };

const file = (n: number): File => {
  const one: Partial<File> = {
    kind: n === 0 ? 'drive#folder' : 'drive#file',
    id: `f${n}`,
    name: n === 0 ? 'Folder' : `A film with a rather long name ${n}.mkv`,
    size: '2048',
    mime_type: '',
    modified_time: '2026-11-24T00:12:00.000Z',
    thumbnail_link: '',
    starred: false,
    links: {},
    medias: [],
    params: {},
  };
  return one as File;
};

const FIRST_PAGE = {
  files: Array.from({ length: 100 }, (_, n) => file(n)),
  next_page_token: 'more',
  total: '100000',
};

function Listing({ view, columns }: { view: ExplorerView; columns?: readonly Column[] }): ReactElement {
  const entries = useEntries({
    key: ['list'],
    load: () => Promise.reject(new Error('no call')),
    initial: FIRST_PAGE,
  });
  const selecting = useSelecting(entries, 'list');
  return createElement(Explorer, {
    label: 'Films',
    entries,
    selecting,
    view,
    placeKey: 'list',
    onOpen: () => undefined,
    hrefOf: (one) => `/file/${one.id}`,
    columns,
    empty: null,
  });
}

const render = (view: ExplorerView, columns?: readonly Column[]): string =>
  renderToString(
    <PageFrame value={IN_TOKYO}>
      <QueryClientProvider client={new QueryClient()}>
        <Listing view={view} {...(columns && { columns })} />
      </QueryClientProvider>
    </PageFrame>,
  );

describe.each(['list', 'grid', 'flow'] as const)('the server-rendered %s', (view) => {
  const html = render(view);

  it('contains a screenful of entries, and the rest of the first page as links for readers without scripts', () => {
    expect(html).toContain('data-row="29"');
    expect(html).not.toContain('data-row="30"');
    const [, links = ''] = /<noscript[^>]*>(.*)<\/noscript>/.exec(html)!;
    for (let n = 0; n < 100; n++) {
      expect(html).toContain(`href="/file/f${n}"`);
      expect(links.includes(`href="/file/f${n}"`)).toBe(n >= 30);
    }
  });

  it('contains every icon that its entries refer to once', () => {
    const referred = new Set([...html.matchAll(/<use href="#([\w-]+)"/g)].map(([, id]) => id!));
    expect(referred.size).toBeGreaterThan(1);
    for (const id of referred) expect(html.split(`<symbol id="${id}"`)).toHaveLength(2);
  });

  it('contains the number of rows and the focusable row', () => {
    expect(html).toContain(`aria-rowcount="${view === 'list' ? 100_001 : 100_000}"`);
    expect(html.match(/role="row"[^>]*tabindex="0"|tabindex="0"[^>]*role="row"/gi)).toHaveLength(1);
    expect(html).toMatch(/data-row="0"[^>]*tabindex="0"/i);
  });
});

it('the server-rendered list shows times in the reader’s time zone and keeps extensions visible', () => {
  const html = render('list');
  expect(html).toContain('26-11-24 09:12');
  expect(html).toContain('.mkv</bdi>');
});

it('a column without a value is a dash in a wide row, and nothing in a narrow one', () => {
  const html = render('list', [
    { id: 'place', label: 'Place', width: '100px', cell: () => 'Attic' },
    { id: 'weight', label: 'Weight', width: '100px', cell: ({ id }) => (id === 'f0' ? undefined : '2 kg') },
  ]);
  const [folder, file] = html.split('data-row="').slice(1);
  expect(folder!.match(/—/g)).toHaveLength(1);
  expect(folder).toMatch(/>Attic<\/span>/);
  expect(file).toContain('Attic<!-- --> · <!-- -->2 kg');
  expect(file).not.toContain('—');
});
