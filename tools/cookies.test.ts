import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { LOCALES } from '@bowerbird/contract';
import { expect, test } from 'vitest';
import { openLibrary } from '../server/src/site/index.ts';

const root = join(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

/**
 * Names in our code that look like cookies, but aren't set as such: keys in browser storage, messages between tabs and
 * frames, or cookies that we only delete.
 */
const NO_COOKIES = new Set([
  'pp_auth_code',
  'pp_browser_extension',
  'pp_dismissed',
  'pp_get_free_vip_called',
  'pp_hidden_shared_content_cover',
  'pp_hide_header',
  'pp_ip_block',
  'pp_live',
  'pp_origin',
  'pp_page',
  'pp_place',
  'pp_play_position',
  'pp_referer_list',
  'pp_reloaded_at',
  'pp_rename_rules',
  'pp_restore_continue',
  'pp_restore_request_body',
  'pp_searches_',
  'pp_share_defaults',
  'pp_share_pwd_code_',
  'pp_tree_',
  'pp_tell_me',
  'pp_uploads',
]);

const sources = globSync(['server/src/**/*.ts', 'web/app/**/*.{ts,tsx}'], { cwd: root })
  .filter((path) => !path.includes('.test.'))
  .map(read);
const named = new Set(sources.flatMap((text) => text.match(/(?<=['"`])pp_[a-z_]+/g) ?? []));
const cookies = [...named].filter((name) => !NO_COOKIES.has(name)).toSorted();

const { contents } = openLibrary(join(root, 'content'));
const [inForce] = contents.policy
  .find(({ name }) => name === 'cookie-policy')!
  .versions.toSorted()
  .toReversed();

test.each(LOCALES)('the cookie policy in %s has a row for every cookie used in the code', (locale) => {
  expect(cookies.length).toBeGreaterThan(10);
  const rows = read(`content/policy/cookie-policy/${inForce}/${locale}.md`)
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(cookies.filter((name) => !rows.some((row) => row.includes(`\`${name}`)))).toEqual([]);
});

test('names listed as not being cookies still occur in the code', () => {
  expect([...NO_COOKIES].filter((name) => !named.has(name))).toEqual([]);
});
