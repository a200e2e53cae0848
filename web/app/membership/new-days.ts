import { inviteApi, type ApiCall, type Profile, type ReplyOf } from '@bowerbird/contract';
import { queryClient } from '#app/api/query.ts';
import { writeCookie } from '#app/browser/cookies.ts';
import { forgetInviteCode, keptInviteCode } from '#app/browser/invite-code.ts';
import { loadMessages } from '#app/i18n/catalogue.ts';

const DAY_SECONDS = 24 * 3600;
/** Age of an account up to which the server gives days. */
const NEW_MS = 30 * DAY_SECONDS * 1000;
/** Member for whom this tab has asked already. */
const ASKED_KEY = 'pp_get_free_vip_called';
const FREE_DAYS_COOKIE = 'pp_free_days';
/** Set while the account is new, for the pages and the apps around them. */
const NEW_COOKIE = 'pp_new_user';

const isAskedFor = (member: string): boolean => {
  try {
    return sessionStorage.getItem(ASKED_KEY) === member;
  } catch {
    // If storage is forbidden, even reading `sessionStorage` throws; then it is asked on every page.
    return false;
  }
};

const rememberAsked = (member: string): void => {
  try {
    sessionStorage.setItem(ASKED_KEY, member);
  } catch {
    // The server gives the days only once.
  }
};

/**
 * Asks for the days of a new member, once per tab. Returns them if there are new ones, with the messages for telling it
 * loaded.
 */
export async function newDays(
  { sub, created_at: since }: Profile,
  call: ApiCall,
): Promise<ReplyOf<typeof inviteApi.welcome> | undefined> {
  const newUntil = Date.parse(since) + NEW_MS;
  if (isAskedFor(sub) || Date.now() > newUntil) return undefined;
  writeCookie(NEW_COOKIE, '1', { maxAge: Math.ceil((newUntil - Date.now()) / 1000) });
  const code = keptInviteCode();
  const got = await call(inviteApi.welcome, {
    body: { from: 'web', ...(code !== undefined && { invite_code: code }) },
  });
  rememberAsked(sub);
  if (!got.granted) return undefined;
  forgetInviteCode();
  if (got.free_days > 0)
    writeCookie(FREE_DAYS_COOKIE, String(got.free_days), { maxAge: got.free_days * DAY_SECONDS });
  await Promise.all([loadMessages('member'), queryClient().invalidateQueries()]);
  return got;
}
