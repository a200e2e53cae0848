import { useState } from 'react';
import { useRevalidator } from 'react-router';
import { accountApi, membershipApi, pushApi, type InputOf, type PushDevice } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { pageServices } from '#app/api/page-services.ts';
import { useViewer } from '#app/api/viewer.ts';
import { useT } from '#app/i18n/t.ts';
import { Badge } from '#app/ui/badge.tsx';
import { Button } from '#app/ui/button.tsx';
import { PageTitle } from '#app/page/page-title.tsx';
import { Switch } from '#app/ui/form/switch.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import { Setting, Settings, SettingsTitle } from '#app/page/settings.tsx';
import { PushSettings } from './notification/push-settings.tsx';
import type { Route } from './+types/notifications';

export async function loader({ context }: Route.LoaderArgs) {
  const { call } = context.get(pageServices);
  const [rules, { data: plan }, { devices }] = await Promise.all([
    call(accountApi.signUpRules, {}),
    call(membershipApi.info, {}),
    call(pushApi.look, {}),
  ]);
  return {
    devices,
    sendsMail: rules.mail_verification,
    hasPlan: plan.vipItem.some(({ expire }) => expire !== ''),
  };
}

/** Notifications by email, those that are optional and those that keep the account secure, and by Web Push. */
export default function NotificationsPage({
  loaderData: { devices, sendsMail, hasPlan },
}: Route.ComponentProps) {
  const t = useT();
  const viewer = useViewer();
  if (!viewer) return null;
  const { email } = viewer;
  if (!sendsMail || email === '') return <NoNotices sendsMail={sendsMail} devices={devices} />;
  return (
    <>
      <PageTitle title={t('profile.notices')} noIndex />
      <SettingsTitle text={t('profile.notices.to', { email })}>{t('profile.notices')}</SettingsTitle>
      <Settings title={t('profile.notices.choice')}>
        <MailSetting
          isOn={viewer.new_device_mail}
          change={(next) => ({ new_device_mail: next })}
          label={t('profile.notices.newDevice')}
          hint={t('profile.notices.newDeviceHint')}
        />
        {/* Members without a plan that ends have nothing to choose, unless they have unsubscribed. */}
        {(hasPlan || !viewer.plan_mail) && (
          <MailSetting
            isOn={viewer.plan_mail}
            change={(next) => ({ plan_mail: next })}
            label={t('profile.notices.planEnd')}
            hint={t('profile.notices.planEndHint')}
          />
        )}
      </Settings>
      <Settings title={t('profile.notices.safety')} text={t('profile.notices.safetyText')}>
        {(['password', 'contact', 'secondStep'] as const).map((kind) => (
          <Setting key={kind} label={t(`profile.notices.${kind}`)} value={t(`profile.notices.${kind}Hint`)}>
            <Badge>{t('profile.notices.always')}</Badge>
          </Setting>
        ))}
      </Settings>
      <PushSettings devices={devices} />
    </>
  );
}

/** Shown if no email can be sent: one sentence with the reason and the alternative. */
function NoNotices({ sendsMail, devices }: { sendsMail: boolean; devices: readonly PushDevice[] }) {
  const t = useT();
  return (
    <>
      <PageTitle title={t('profile.notices')} noIndex />
      <SettingsTitle text={sendsMail ? t('profile.notices.noAddress') : t('profile.notices.noMail')}>
        {t('profile.notices')}
      </SettingsTitle>
      <PushSettings devices={devices} />
      <div className="flex flex-wrap gap-2.5">
        {sendsMail && (
          <Button variant="primary" href="/drive/account">
            {t('profile.notices.addAddress')}
          </Button>
        )}
        <Button href="/drive/account/security">{t('profile.notices.signIns')}</Button>
      </div>
    </>
  );
}

/** Setting for one kind of optional emails. */
function MailSetting({
  isOn,
  change,
  label,
  hint,
}: {
  isOn: boolean;
  change: (next: boolean) => InputOf<typeof accountApi.changeMe>['body'];
  label: string;
  hint: string;
}) {
  const call = useCall();
  const errorText = useErrorText();
  const revalidator = useRevalidator();
  const [chosen, setChosen] = useState(isOn);
  const choose = async (next: boolean): Promise<void> => {
    setChosen(next);
    try {
      await call(accountApi.changeMe, { body: change(next) });
      await revalidator.revalidate();
    } catch (error) {
      setChosen(!next);
      toast.show({ text: errorText(error), tone: 'danger' });
    }
  };
  return (
    <div className="border-t border-line px-5 py-3.5 max-md:px-4">
      <Switch isSelected={chosen} onChange={(next) => void choose(next)} hint={hint}>
        {label}
      </Switch>
    </div>
  );
}
