import { useState } from 'react';
import { useLocation, useRevalidator } from 'react-router';
import {
  accountApi,
  LIMITS,
  LOCALE_NAMES,
  LOCALES,
  matchLocale,
  securityApi,
  type Locale,
  type PageServices,
} from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { pageServices } from '#app/api/page-services.ts';
import { rememberLocale } from '#app/api/preferences.ts';
import { useViewer } from '#app/api/viewer.ts';
import { inLocale, useLocale } from '#app/i18n/locale.tsx';
import { THEMES } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { PageTitle } from '#app/ui/page-title.tsx';
import { Select } from '#app/ui/select.tsx';
import { Switch } from '#app/ui/switch.tsx';
import { TextField } from '#app/ui/text-field.tsx';
import { useTheme } from '#app/ui/theme-menu.tsx';
import { toast } from '#app/ui/toast.tsx';
import { refused, textOf, type FormResult } from './account-form.ts';
import { EmailDialog } from './email-dialog.tsx';
import { FormDialog } from './form-dialog.tsx';
import { Setting, Settings, SettingsTitle } from './settings.tsx';
import type { Route } from './+types/profile';

export async function loader({ context }: Route.LoaderArgs) {
  const rules = await context.get(pageServices).call(accountApi.signUpRules, {});
  return { provesAddresses: rules.mail_verification };
}

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const services = context.get(pageServices);
  const verificationId = textOf(form, 'verification_id');
  try {
    if (textOf(form, 'intent') === 'name') return await changeName(form, services);
    if (verificationId === '' && form.has('prove')) return await sendCode(form, services);
    return await changeEmail(form, services, verificationId);
  } catch (error) {
    return refused(
      error,
      form,
      verificationId === '' ? {} : { verification: { id: verificationId, retryIn: 0 } },
    );
  }
}

async function changeName(form: FormData, { call }: PageServices): Promise<FormResult> {
  await call(accountApi.changeMe, { body: { name: textOf(form, 'name') } });
  return { done: true };
}

async function sendCode(form: FormData, { call, locale }: PageServices): Promise<FormResult> {
  const email = textOf(form, 'email').trim();
  const sent = await call(securityApi.sendEmailCode, { body: { email, locale } });
  return { typed: { email, name: '' }, verification: { id: sent.verification_id, retryIn: sent.retry_in } };
}

async function changeEmail(
  form: FormData,
  { call }: PageServices,
  verificationId: string,
): Promise<FormResult> {
  const email = textOf(form, 'email').trim();
  const password = textOf(form, 'password');
  const proof =
    verificationId === ''
      ? {}
      : await call(accountApi.checkCode, {
          body: { verification_id: verificationId, verification_code: textOf(form, 'code').trim() },
        }).then((checked) => ({ verification_token: checked.verification_token }));
  await call(securityApi.changeEmail, { body: { email, password, ...proof } });
  return { done: true };
}

/** Who the member is, and how the product looks and speaks to them. */
export default function ProfilePage({ loaderData }: Route.ComponentProps) {
  const t = useT();
  const viewer = useViewer();
  const [dialog, setDialog] = useState<'name' | 'email'>();
  const close = (): void => setDialog(undefined);
  if (!viewer) return null;
  return (
    <>
      <PageTitle title={t('profile.title')} noIndex />
      <SettingsTitle>{t('profile.title')}</SettingsTitle>
      <Settings title={t('profile.you')}>
        <Setting label={t('account.name')} value={viewer.name}>
          <Button aria-label={t('profile.name.change')} onClick={() => setDialog('name')}>
            {t('profile.change')}
          </Button>
        </Setting>
        <Setting label={t('account.email')} value={viewer.email}>
          <Button aria-label={t('profile.email.change')} onClick={() => setDialog('email')}>
            {t('profile.change')}
          </Button>
        </Setting>
      </Settings>
      <Settings title={t('profile.look')}>
        <LanguageSetting />
        <ThemeSetting />
      </Settings>
      <Settings title={t('profile.notices')}>
        <NewDeviceSetting isOn={viewer.new_device_mail} sendsMail={loaderData.provesAddresses} />
      </Settings>
      {dialog === 'name' && (
        <FormDialog
          title={t('profile.name.change')}
          intent="name"
          submit={t('profile.save')}
          onClose={close}
          onDone={() => toast.show({ text: t('profile.name.done') })}
        >
          {({ errors }) => (
            <TextField
              label={t('account.name')}
              name="name"
              autoComplete="name"
              required
              maxLength={LIMITS.displayNameMax}
              defaultValue={viewer.name}
              error={errors.at('name')}
            />
          )}
        </FormDialog>
      )}
      {dialog === 'email' && <EmailDialog needsCode={loaderData.provesAddresses} onClose={close} />}
    </>
  );
}

/** Whether a sign-in from somewhere new is told by mail. */
function NewDeviceSetting({ isOn, sendsMail }: { isOn: boolean; sendsMail: boolean }) {
  const t = useT();
  const call = useCall();
  const errorText = useErrorText();
  const revalidator = useRevalidator();
  const [chosen, setChosen] = useState(isOn);
  const choose = async (next: boolean): Promise<void> => {
    setChosen(next);
    try {
      await call(accountApi.changeMe, { body: { new_device_mail: next } });
      await revalidator.revalidate();
    } catch (error) {
      setChosen(!next);
      toast.show({ text: errorText(error), tone: 'danger' });
    }
  };
  return (
    <div className="border-t border-line px-5 py-3.5 max-md:px-4">
      <Switch
        isSelected={chosen && sendsMail}
        disabled={!sendsMail}
        onChange={(next) => void choose(next)}
        hint={sendsMail ? t('profile.notices.newDeviceHint') : t('profile.notices.noMail')}
      >
        {t('profile.notices.newDevice')}
      </Switch>
    </div>
  );
}

/** The language of the pages, from this one on, and of the mails. */
function LanguageSetting() {
  const t = useT();
  const call = useCall();
  const locale = useLocale();
  const { pathname, search } = useLocation();
  const choose = async (chosen: Locale): Promise<void> => {
    rememberLocale(chosen);
    await call(accountApi.changeMe, { body: { locale: chosen } }).catch(() => undefined);
    // A whole new page: the words of another language come with it.
    location.assign(inLocale(chosen, pathname, search));
  };
  return (
    <Setting label={t('ui.language')} value={t('profile.language.hint')} className="max-sm:flex-wrap">
      <Select
        label={t('ui.language')}
        hideLabel
        defaultValue={locale}
        className="w-50 max-sm:w-full"
        onChange={(chosen) => void choose(matchLocale(chosen) ?? locale)}
        options={LOCALES.map((one) => ({ value: one, label: LOCALE_NAMES[one] }))}
      />
    </Setting>
  );
}

function ThemeSetting() {
  const t = useT();
  const [theme, choose] = useTheme();
  return (
    <Setting label={t('ui.theme')} className="max-sm:flex-wrap">
      <Select
        label={t('ui.theme')}
        hideLabel
        value={theme}
        onChange={choose}
        className="w-50 max-sm:w-full"
        options={THEMES.map((one) => ({ value: one, label: t(`ui.theme.${one}`) }))}
      />
    </Setting>
  );
}
