import { useState } from 'react';
import { securityApi } from '@bowerbird/contract';
import { pageServices } from '#app/api/page-services.ts';
import { useViewer } from '#app/api/viewer.ts';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { PageTitle } from '#app/ui/page-title.tsx';
import { refused, textOf, type FormResult } from './account-form.ts';
import { PasswordDialog } from './password-dialog.tsx';
import { SessionList } from './session-list.tsx';
import { Setting, Settings, SettingsTitle } from './settings.tsx';
import { SignInHistory } from './sign-in-history.tsx';
import type { Route } from './+types/security';

export async function loader({ context }: Route.LoaderArgs) {
  const { call } = context.get(pageServices);
  const [{ sessions }, { sign_ins: signIns }] = await Promise.all([
    call(securityApi.listSessions, {}),
    call(securityApi.listSignIns, {}),
  ]);
  return { sessions, signIns };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const { call } = context.get(pageServices);
  try {
    await call(securityApi.changePassword, {
      body: {
        password: textOf(form, 'password'),
        new_password: textOf(form, 'new_password'),
        keep_passes: form.has('keep_passes'),
      },
    });
  } catch (error) {
    return refused(error, form, {}, { password_too_weak: 'newPassword' });
  }
  return { done: true } satisfies FormResult;
}

/** Who can get in, and how. */
export default function SecurityPage({ loaderData: { sessions, signIns } }: Route.ComponentProps) {
  const t = useT();
  const format = useFormat();
  const viewer = useViewer();
  const [dialog, setDialog] = useState<'password'>();
  if (!viewer) return null;
  return (
    <>
      <PageTitle title={t('security.title')} noIndex />
      <SettingsTitle>{t('security.title')}</SettingsTitle>
      <Settings title={t('security.signIn')}>
        <Setting
          label={t('account.password')}
          value={t('security.password.changedAt', { date: format.date(viewer.password_updated_at) })}
        >
          <Button aria-label={t('security.password.change')} onClick={() => setDialog('password')}>
            {t('profile.change')}
          </Button>
        </Setting>
      </Settings>
      <SessionList sessions={sessions} />
      <SignInHistory signIns={signIns} />
      {dialog === 'password' && <PasswordDialog onClose={() => setDialog(undefined)} />}
    </>
  );
}
