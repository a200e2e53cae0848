import { useEffect, useEffectEvent } from 'react';
import { useRevalidator } from 'react-router';
import { inviteApi } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useOffers } from '#app/api/offers.ts';
import { queryClient } from '#app/api/query.ts';
import { useViewer } from '#app/api/viewer.ts';
import { writeCookie } from '#app/browser/cookies.ts';
import { forgetInviteCode, inviteCodeIn, keepInviteCode, keptInviteCode } from '#app/browser/invite-code.ts';
import { said } from '#app/browser/page-query.ts';
import { loadMessages } from '#app/i18n/catalogue.ts';
import { useT } from '#app/i18n/t.ts';
import { arrival } from '#app/statistics/arrival.ts';
import { toast } from '#app/ui/toast/toast.tsx';

const DAY_SECONDS = 24 * 3600;
/** Age of an account up to which the server gives days. */
const NEW_MS = 30 * DAY_SECONDS * 1000;
/** Member for whom this tab has asked already. */
const ASKED_KEY = 'pp_get_free_vip_called';
const FREE_DAYS_COOKIE = 'pp_free_days';

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
 * Keeps the code of an invitation with which a visitor came, and gets new members their days, no matter how they signed
 * up and on which page they are.
 */
export function WelcomeHost() {
  const t = useT();
  const viewer = useViewer();
  const { free_days: freeDays, invitations } = useOffers();
  const call = useCall();
  const revalidator = useRevalidator();
  const member = viewer?.sub;
  const isOffering = freeDays > 0 || invitations !== null;

  const keep = useEffectEvent((): void => {
    const code = inviteCodeIn(said(new URLSearchParams(arrival.search), 'invite'));
    if (code !== undefined && invitations && !viewer) keepInviteCode(code);
  });

  const ask = useEffectEvent(async (): Promise<void> => {
    if (!viewer || isAskedFor(viewer.sub) || Date.now() - Date.parse(viewer.created_at) > NEW_MS) return;
    const code = keptInviteCode();
    const got = await call(inviteApi.welcome, {
      body: { from: 'web', ...(code !== undefined && { invite_code: code }) },
    });
    rememberAsked(viewer.sub);
    if (!got.granted) return;
    forgetInviteCode();
    if (got.free_days > 0)
      writeCookie(FREE_DAYS_COOKIE, String(got.free_days), { maxAge: got.free_days * DAY_SECONDS });
    await Promise.all([loadMessages('member'), queryClient().invalidateQueries(), revalidator.revalidate()]);
    toast.show({
      text: t('invite.welcome', { count: got.free_days + got.invited_days, plan: got.plan }),
      tone: 'success',
    });
  });

  useEffect(() => keep(), []);
  useEffect(() => {
    // If it fails, the next page asks again.
    if (isOffering && member !== undefined) ask().catch(() => undefined);
  }, [isOffering, member]);
  return null;
}
