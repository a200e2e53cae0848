import { useEffect, useEffectEvent } from 'react';
import { useRevalidator } from 'react-router';
import { inviteCodeIn } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useOffers } from '#app/api/offers.ts';
import { useViewer } from '#app/api/viewer.ts';
import { keepInviteCode } from '#app/browser/invite-code.ts';
import { said } from '#app/browser/page-query.ts';
import { useT } from '#app/i18n/t.ts';
import { arrival } from '#app/statistics/arrival.ts';
import { toast } from '#app/ui/toast/toast.tsx';

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
    if (!viewer) return;
    const { newDays } = await import('./new-days.ts');
    const got = await newDays(viewer, call);
    if (!got) return;
    await revalidator.revalidate();
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
