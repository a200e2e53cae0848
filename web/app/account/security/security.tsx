import { useState } from 'react';
import { ApiFailure, oauthApi, securityApi, type ApiCall } from '@bowerbird/contract';
import { pageServices } from '#app/api/page-services.ts';
import { useViewer } from '#app/api/viewer.ts';
import { textOf } from '#app/browser/form-text.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { Setting, Settings, SettingsTitle } from '#app/page/settings.tsx';
import { Button } from '#app/ui/button.tsx';
import type { Route } from './+types/security';
import { refused, type FormResult } from '../form/account-form.ts';
import { ExternalList } from './external-list.tsx';
import { PasskeyList } from './passkey-list.tsx';
import { PasswordDialog } from './password-dialog.tsx';
import { SecondFactorSetting } from './second-factor-setting.tsx';
import { SessionList } from './session-list.tsx';
import { SignInHistory } from './sign-in-history.tsx';

export async function loader({ context }: Route.LoaderArgs) {
  const { call } = context.get(pageServices);
  const [secondFactor, { passkeys }, { sessions }, { sign_ins: signIns }, { identities }, { external }] =
    await Promise.all([
      call(securityApi.secondFactor, {}),
      call(securityApi.listPasskeys, {}),
      call(securityApi.listSessions, {}),
      call(securityApi.listSignIns, {}),
      call(oauthApi.listExternal, {}),
      call(oauthApi.doors, {}),
    ]);
  return { secondFactor, passkeys, sessions, signIns, identities, external };
}

type Intent = (call: ApiCall, form: FormData) => Promise<FormResult>;

const INTENTS: Readonly<Record<string, Intent>> = {
  async password(call, form) {
    await call(securityApi.changePassword, {
      body: {
        password: textOf(form, 'password'),
        new_password: textOf(form, 'new_password'),
        keep_passes: form.has('keep_passes'),
      },
    });
    return { done: true };
  },

  async 'begin-second-factor'(call, form) {
    const body = { password: textOf(form, 'password') };
    return { done: true, app: await call(securityApi.beginSecondFactor, { body }) };
  },

  async 'confirm-second-factor'(call, form) {
    const body = { code: textOf(form, 'code').trim() };
    const { recovery_codes: recoveryCodes } = await call(securityApi.confirmSecondFactor, { body });
    return { done: true, recoveryCodes };
  },

  async 'renew-codes'(call, form) {
    const body = { password: textOf(form, 'password') };
    const { recovery_codes: recoveryCodes } = await call(securityApi.renewRecoveryCodes, { body });
    return { done: true, recoveryCodes };
  },

  async 'begin-passkey'(call, form) {
    const body = { password: textOf(form, 'password') };
    const question = await call(securityApi.beginPasskey, { body });
    return { done: true, question, passkeyName: textOf(form, 'name') };
  },

  async 'rename-passkey'(call, form) {
    const name = textOf(form, 'name');
    await call(securityApi.renamePasskey, { params: { id: textOf(form, 'id') }, body: { name } });
    return { done: true };
  },

  async 'remove-passkey'(call, form) {
    const body = { id: textOf(form, 'id'), password: textOf(form, 'password') };
    await call(securityApi.removePasskey, { body });
    return { done: true };
  },

  async 'unlink-external'(call, form) {
    const body = { id: textOf(form, 'id'), password: textOf(form, 'password') };
    await call(oauthApi.unlinkExternal, { body });
    return { done: true };
  },

  async 'end-second-factor'(call, form) {
    await call(securityApi.endSecondFactor, { body: { password: textOf(form, 'password') } });
    return { done: true };
  },
};

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const name = textOf(form, 'intent');
  const intent = Object.hasOwn(INTENTS, name) ? INTENTS[name] : undefined;
  try {
    if (!intent) throw new ApiFailure('invalid_argument', { field: 'intent' });
    return await intent(context.get(pageServices).call, form);
  } catch (error) {
    return refused(error, form, {}, { password_too_weak: 'newPassword' });
  }
}

/** Sign-in methods, sessions, and the sign-in history. */
export default function SecurityPage({
  loaderData: { secondFactor, passkeys, sessions, signIns, identities, external },
}: Route.ComponentProps) {
  const t = useT();
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
          value={
            viewer.password === 'SET'
              ? t.rich('security.password.changedAt', {
                  date: <DateTime at={viewer.password_updated_at} as="date" />,
                })
              : t('oauth.external.noPassword')
          }
        >
          {viewer.password === 'SET' ? (
            <Button aria-label={t('security.password.change')} onClick={() => setDialog('password')}>
              {t('profile.change')}
            </Button>
          ) : (
            <Button href="/forgot-password">{t('oauth.external.setPassword')}</Button>
          )}
        </Setting>
        <SecondFactorSetting state={secondFactor} />
      </Settings>
      <PasskeyList passkeys={passkeys} thisDevice={sessions.find(({ current }) => current)?.device ?? ''} />
      <ExternalList identities={identities} label={external} hasPassword={viewer.password === 'SET'} />
      <SessionList sessions={sessions} />
      <SignInHistory signIns={signIns} />
      {dialog === 'password' && <PasswordDialog onClose={() => setDialog(undefined)} />}
    </>
  );
}
