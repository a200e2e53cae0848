import { randomBytes } from 'node:crypto';
import { expect, test, type APIRequestContext, type APIResponse } from '@playwright/test';
import { get, member, operator, post } from './support/people.ts';
import { share, sharer } from './support/shares.ts';

interface Seen {
  readonly status: number;
  readonly html: string;
  readonly headers: Record<string, string>;
}

test('a share page that was rendered for others hides no change', async ({
  browser,
  playwright,
  baseURL,
}) => {
  const ann = await sharer(browser);
  const { request } = ann.context;
  const { id, path } = await share(ann, ['Letter.txt', 'Blue.jpg'], {
    restore_limit: 1,
    title: 'Finds',
  });

  /** Visits the share with a new browser; the page is in the cache from the second visit on. */
  const visit = async (headers: Record<string, string> = {}): Promise<Seen> => {
    const stranger = await playwright.request.newContext({
      baseURL: baseURL!,
      extraHTTPHeaders: {
        'x-forwarded-for': ['100', '64', ...randomBytes(2)].join('.'),
        'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0',
        ...headers,
      },
    });
    const reply = await stranger.get(path);
    const seen = { status: reply.status(), html: await reply.text(), headers: reply.headers() };
    await stranger.dispose();
    return seen;
  };
  const edit = async (change: object): Promise<APIResponse> => {
    const reply = await request.patch('/drive/v1/share', {
      data: { share_id: id, ...change },
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    expect(reply.status(), await reply.text()).toBe(200);
    return reply;
  };
  const nonceOf = ({ html }: Seen): string => /nonce="([^"]+)"/.exec(html)![1]!;
  const tokenOf = ({ headers }: Seen): string =>
    /pp_share_passcode_token_\w+=([^;]+)/.exec(headers['set-cookie']!)![1]!;

  const [first, second] = [await visit(), await visit()];
  expect(second.html).toContain('Letter');
  expect(nonceOf(second)).not.toBe(nonceOf(first));
  expect(second.headers['content-security-policy']).toContain(nonceOf(second));
  expect(second.html).not.toContain(nonceOf(first));
  expect(tokenOf(second)).not.toBe(tokenOf(first));
  expect(second.html).toContain(decodeURIComponent(tokenOf(second)));

  await request.patch(`/drive/v1/files/${ann.ids['Letter.txt']}`, {
    data: { name: 'Postcard.txt' },
    headers: { 'sec-fetch-site': 'same-origin' },
  });
  const renamed = await visit();
  expect(renamed.html).toContain('Postcard');
  expect(renamed.html).not.toContain('Letter');

  expect((await visit({ 'accept-language': 'ru' })).html).toContain('<html lang="ru"');
  expect((await visit({ cookie: 'pp_theme=dark' })).html).toContain('data-theme="dark"');
  expect((await visit()).html).toContain('<html lang="en-US">');
  const asList = encodeURIComponent(
    JSON.stringify({ viewType: 'list', orderType: 'name_desc', pinFoldersTop: true }),
  );
  const listed = (await visit({ cookie: `pp_shared_display_mode=${asList}` })).html;
  expect(listed).toContain('role="columnheader"');
  expect(listed.indexOf('Postcard')).toBeLessThan(listed.indexOf('Blue'));

  await edit({ pass_code_option: 'REQUIRED', custom_pass_code: 'blue27' });
  const locked = await visit();
  expect(locked.html).not.toContain('Postcard');
  await edit({ pass_code_option: 'NOT_REQUIRED' });
  expect((await visit()).html).toContain('Postcard');

  const before = (await visit()).html;
  const saver = await member(browser);
  const { share_status: status } = await post(saver.context.request, '/drive/v1/share/restore', {
    share_id: id,
    pass_code_token: decodeURIComponent(tokenOf(await visit())),
  });
  expect(status).toBe('OK');
  const used = (await visit()).html;
  expect(before).toContain('1 save left');
  expect(used).not.toContain('1 save left');
  expect(used).not.toContain('Postcard');
  await edit({ restore_limit: -1 });
  expect((await visit()).html).toContain('Postcard');

  await edit({ paused: true });
  expect((await visit()).html).not.toContain('Postcard');
  await edit({ paused: false });
  expect((await visit()).html).toContain('Postcard');

  const { sub } = await get<{ sub: string }>(request, '/v1/user/me');
  const administrator = await operator(browser);
  await post(administrator.context.request, `/admin/v1/people/${sub}/freeze`, {});
  expect((await visit()).html).not.toContain('Postcard');
  await post(administrator.context.request, `/admin/v1/people/${sub}/thaw`, {});
  expect((await visit()).html).toContain('Postcard');

  await Promise.all([ann, saver, administrator].map(({ context }) => context.close()));
});

test('what members see is theirs alone', async ({ browser }) => {
  const ann = await sharer(browser);
  const { path } = await share(ann, ['Letter.txt']);
  const own = await (await ann.context.request.get(path)).text();
  const others = await member(browser);
  const theirs = await (await others.context.request.get(path)).text();
  const idOf = async (request: APIRequestContext): Promise<string> =>
    (await get<{ sub: string }>(request, '/v1/user/me')).sub;
  const othersId = await idOf(others.context.request);
  expect(theirs).toContain(othersId);
  expect(own).not.toContain(othersId);
  await Promise.all([ann, others].map(({ context }) => context.close()));
});
