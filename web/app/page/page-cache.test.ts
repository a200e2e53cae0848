import { gunzipSync } from 'node:zlib';
import { beforeEach, expect, test, vi } from 'vitest';
import { shareApi, type ApiCall, type PageServices, type Profile } from '@bowerbird/contract';
import { withPageCache } from './page-cache.ts';

const ADDRESS = 'https://drive.example/s/one';
let files: string[];
let visits: number;
let renders: number;
let isFailing: boolean;
let cookiesSet: Record<string, string>;

beforeEach(() => {
  [files, visits, renders, isFailing, cookiesSet] = [['a.txt'], 0, 0, false, {}];
});

/** Renders a page as the share page does: with a call, a cookie, the nonce and the token. */
const open = () =>
  withPageCache(
    async (request, services) => {
      renders += 1;
      const opened = await services.call(shareApi.open, { query: { share_id: 'one' } });
      services.setCookie('token', opened.pass_code_token);
      const { ancestors } = await services.call(shareApi.detail, {
        query: { share_id: 'one', pass_code_token: opened.pass_code_token, parent_id: 'x' },
      });
      if (isFailing) services.logError(new Error('half of the page is missing'));
      const names = opened.files.map(({ name }) => name).join();
      return new Response(
        `<script nonce="${services.nonce}">${names} ${ancestors.length} ${opened.pass_code_token}</script>${services.locale} ${request.headers.get('cookie') ?? ''}`,
        { headers: { 'content-type': 'text/html' } },
      );
    },
    new Set(['pp_theme', 'pp_shared_display_mode']),
  );

function visitor(more: Partial<PageServices> = {}): PageServices {
  const token = `token-${(visits += 1)}`;
  const call = (async (spec: { name: string }, input: { query: { pass_code_token?: string } }) => {
    if (spec.name === shareApi.detail.name) {
      expect(input.query.pass_code_token).toBe(token);
      return { ancestors: [] };
    }
    if (files.length === 0) throw new Error('the share was ended');
    return { files: files.map((name) => ({ name })), pass_code_token: token };
  }) as unknown as ApiCall;
  return {
    call: vi.fn(call) as unknown as ApiCall,
    viewer: null,
    locale: 'en-US',
    nonce: `nonce-${visits}`,
    origin: 'https://drive.example',
    cookies: {},
    setCookie: (name: string, value: string) => void (cookiesSet[name] = value),
    logError: () => {},
    ...more,
  } as unknown as PageServices;
}

const get = (headers: Record<string, string> = {}) => new Request(ADDRESS, { headers });

async function shown(pages: ReturnType<typeof open>, services = visitor(), request = get()): Promise<string> {
  const reply = await pages(request, services);
  return reply instanceof Response ? reply.text() : Buffer.from(reply.body).toString();
}

test('a page is rendered once for all visitors, each with their own nonce, token and cookie', async () => {
  const pages = open();
  expect(await shown(pages)).toContain('nonce="nonce-1">a.txt 0 token-1<');
  const second = visitor();
  expect(await shown(pages, second)).toContain('nonce="nonce-2">a.txt 0 token-2<');
  expect(cookiesSet).toEqual({ token: 'token-2' });
  expect(second.call).toHaveBeenCalledTimes(2);
  expect(renders).toBe(1);
});

test('browsers that accept it get the page compressed', async () => {
  const pages = open();
  await shown(pages);
  const reply = await pages(get({ 'accept-encoding': 'gzip, deflate, br' }), visitor());
  if (reply instanceof Response) throw new Error('the page was rendered again');
  expect(reply.headers).toContainEqual(['content-encoding', 'gzip']);
  expect(gunzipSync(reply.body).toString()).toContain('nonce="nonce-2">a.txt 0 token-2<');
  expect(renders).toBe(1);
});

test('visitors who come while a page is rendered wait for it', async () => {
  const pages = open();
  const texts = await Promise.all([shown(pages), shown(pages), shown(pages)]);
  expect(texts.map((text) => /token-\d/.exec(text)?.[0])).toEqual(['token-1', 'token-2', 'token-3']);
  expect(renders).toBe(1);
});

test('a change is visible at once, without making a call twice', async () => {
  const pages = open();
  await shown(pages);
  files = ['b.txt'];
  const second = visitor();
  expect(await shown(pages, second)).toContain('b.txt 0 token-2');
  expect(second.call).toHaveBeenCalledTimes(2);
  expect(await shown(pages)).toContain('b.txt 0 token-3');
  expect(renders).toBe(2);
});

test('a call that fails makes the page fail, as it would without a cache', async () => {
  const pages = open();
  await shown(pages);
  files = [];
  const second = visitor();
  await expect(pages(get(), second)).rejects.toThrow('the share was ended');
  expect(second.call).toHaveBeenCalledTimes(1);
});

test('a page with an error is not kept', async () => {
  const pages = open();
  isFailing = true;
  await shown(pages);
  isFailing = false;
  await shown(pages);
  await shown(pages);
  expect(renders).toBe(2);
});

test.each([
  ['language', visitor, { locale: 'ja' } as const, {}],
  ['theme', visitor, { cookies: { pp_theme: 'dark' } }, {}],
  ['view', visitor, { cookies: { pp_shared_display_mode: '{"viewType":"list"}' } }, {}],
  ['accepted language', visitor, {}, { 'accept-language': 'ru' }],
  ['device', visitor, {}, { 'user-agent': 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X)' }],
] as const)('each %s has its own page', async (_, who, more, headers) => {
  const pages = open();
  await shown(pages);
  await shown(pages, who(more), get(headers));
  expect(renders).toBe(2);
  await shown(pages, who(more), get(headers));
  await shown(pages);
  expect(renders).toBe(2);
});

test.each([
  ['members', { viewer: { sub: 'ann' } as Profile }],
  ['visitors who opened a share before', { cookies: { pp_share_passcode_token_one: 'x' } }],
])('pages for %s are never kept', async (_, more) => {
  const pages = open();
  for (let times = 0; times < 2; times += 1) await shown(pages, visitor(more));
  expect(renders).toBe(2);
});

test('the id of a browser is not a reason to render a page again, and no page sees it', async () => {
  const pages = open();
  await shown(pages, visitor({ cookies: { pp_device_id: 'a' } }), get({ cookie: 'pp_device_id=a' }));
  const text = await shown(
    pages,
    visitor({ cookies: { pp_device_id: 'b' } }),
    get({ cookie: 'pp_device_id=b' }),
  );
  expect(text).not.toContain('pp_device_id');
  expect(renders).toBe(1);
});

test('a page is kept for a minute', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const pages = open();
    await shown(pages);
    vi.setSystemTime(Date.now() + 59_000);
    await shown(pages);
    expect(renders).toBe(1);
    vi.setSystemTime(Date.now() + 2000);
    await shown(pages);
    expect(renders).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});
