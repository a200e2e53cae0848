import { redirect } from 'react-router';
import { splitLocale } from '@bowerbird/contract';
import { idsSaid, said, type PageParameter } from '#app/browser/page-query.ts';
import { actionOf, type PageAction } from '#app/embedding/page-actions.ts';
import { withPrefix } from '#app/i18n/locale.tsx';

/** Pages that perform an action themselves; from all others, its address redirects to the first of them. */
interface Home {
  readonly pages: RegExp;
  readonly first: string;
}
const FILES: Home = { pages: /^\/drive\/all(?:\/[^/]+)?\/?$/, first: '/drive/all' };
const TRANSFERS: Home = { pages: /^\/drive\/transfers\/?$/, first: '/drive/transfers' };
const FILES_OR_TRANSFERS: Home = {
  pages: new RegExp(`${FILES.pages.source}|${TRANSFERS.pages.source}`),
  first: FILES.first,
};
const DRIVE: Home = {
  pages: /^\/(?:drive\/(?:all|search|starred|shares|transfers|trash)|inapp\/shop|referral)(?:\/|$)/,
  first: FILES.first,
};
const EVERYWHERE: Home = { pages: /^/, first: '/' };

type ActionRule =
  | { readonly doneAt: Home; readonly with?: PageParameter }
  /** Nothing else is left to do on the target page. */
  | { readonly leadsTo: string | ((query: URLSearchParams, path: string, isMember: boolean) => string) };

/**
 * Handling of each action, and its page. The reasons for some targets are in
 * docs/decisions/0024-site-as-an-app.md.
 */
const RULES: Readonly<Record<PageAction, ActionRule>> = {
  show_task: { doneAt: TRANSFERS, with: 'task_id' },
  open_file: { leadsTo: openedFile },
  highlight_files: { doneAt: FILES, with: 'file_ids' },
  move_files: { doneAt: FILES, with: 'file_ids' },
  create_task: { doneAt: FILES_OR_TRANSFERS, with: 'url' },
  receive_files: { doneAt: FILES, with: 'url' },
  show_storage_dialog: { doneAt: EVERYWHERE },
  show_traffic_dialog: { doneAt: EVERYWHERE },
  show_mobile_sidebar: { doneAt: DRIVE },
  open_redeem_box: { doneAt: EVERYWHERE },
  show_invite_dialog: { doneAt: EVERYWHERE },
  show_beginner_dialog: { doneAt: EVERYWHERE },
  show_activity_dialog: { doneAt: EVERYWHERE },
  show_popup_window: { doneAt: EVERYWHERE },
  search: { leadsTo: searched },
  open_feedback: { leadsTo: '/drive/feedback' },
  url_checker: { leadsTo: checkedLink },
  landing_page: { leadsTo: '/' },
  login_required: { doneAt: EVERYWHERE },
  show_login: { doneAt: EVERYWHERE },
  login_to_drive: { doneAt: EVERYWHERE },
};

/** Returns the address that opens a file over the current list, or over the drive. */
function openedFile(query: URLSearchParams, path: string): string {
  const home = /^\/drive\/starred\/?$/.test(path) || FILES.pages.test(path) ? path : FILES.first;
  const [id] = idsSaid(query, 'file_ids');
  return id === undefined ? home : `${home}?open_file=${encodeURIComponent(id)}`;
}

/** Members search their drive, visitors the help center. */
function searched(query: URLSearchParams, _path: string, isMember: boolean): string {
  const words = said(query, 'q').trim();
  const page = isMember ? '/drive/search' : '/help-center';
  return words === '' ? page : `${page}?q=${encodeURIComponent(words)}`;
}

function checkedLink(query: URLSearchParams): string {
  const url = said(query, 'url');
  return url === '' ? '/url-checker' : `/url-checker?url=${encodeURIComponent(url)}`;
}

/** Parameters of the visit, not of the page: they are passed on. */
const OF_THE_VISIT: readonly PageParameter[] = [
  'origin',
  'hide_header',
  'launcher',
  'scene',
  '__source',
  '__medium',
  '__campaign',
];

/** Pages that programs open for each other: their parameters are not for this rule. */
const OF_PROGRAMS = /^\/(?:auth|captcha|loading|drive\/auth-center)(?:\/|$)/;

/**
 * Returns the address to which an action leads from here; undefined if the address contains none, or if this
 * page performs it.
 */
export function placeOfAction({ pathname, searchParams: query }: URL, isMember: boolean): string | undefined {
  const { prefix, path } = splitLocale(pathname);
  const action = actionOf(query);
  if (action === undefined || OF_PROGRAMS.test(path)) return undefined;
  const rule = RULES[action];
  if ('doneAt' in rule && rule.doneAt.pages.test(path)) return undefined;
  const place = new URL(addressOf(action, rule, query, path, isMember), 'http://here');
  for (const name of OF_THE_VISIT) {
    const value = said(query, name);
    if (value !== '') place.searchParams.set(name, value);
  }
  return withPrefix(prefix, place.pathname + place.search);
}

function addressOf(
  action: PageAction,
  rule: ActionRule,
  query: URLSearchParams,
  path: string,
  isMember: boolean,
): string {
  if ('leadsTo' in rule)
    return typeof rule.leadsTo === 'string' ? rule.leadsTo : rule.leadsTo(query, path, isMember);
  const asked = new URLSearchParams({ action });
  const value = rule.with === undefined ? '' : said(query, rule.with);
  if (rule.with !== undefined && value !== '') asked.set(rule.with, value);
  return `${rule.doneAt.first}?${asked}`;
}

/** Redirects to the page that performs an address's action, before anything of the page is loaded. */
export function followPageAction(url: URL, isMember: boolean): Response | undefined {
  const place = placeOfAction(url, isMember);
  return place === undefined ? undefined : redirect(place);
}
