import { useState } from 'react';
import { redirectDocument, useLocation } from 'react-router';
import {
  accountApi,
  closingApi,
  LIMITS,
  LOCALE_NAMES,
  LOCALES,
  matchLocale,
  preferenceApi,
  securityApi,
  splitLocale,
  takeoutApi,
  type Locale,
  type PageServices,
} from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { textOf } from '#app/browser/form-text.ts';
import { pageServices } from '#app/api/page-services.ts';
import { chooseLocale } from '#app/page/preferences.ts';
import { useViewer } from '#app/api/viewer.ts';
import { inLocale, useLocale, withPrefix } from '#app/i18n/locale.tsx';
import { THEMES } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { PageTitle } from '#app/page/page-title.tsx';
import { Select } from '#app/ui/form/select.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';
import { useTheme } from '#app/page/use-theme.ts';
import { toast } from '#app/ui/toast/toast.tsx';
import { Setting, Settings, SettingsTitle } from '#app/page/settings.tsx';
import type { Route } from './+types/profile';
import { refused, stillSent, type FormResult } from '../form/account-form.ts';
import { FormDialog } from '../form/form-dialog.tsx';
import { ClosingSetting } from './closing-setting.tsx';
import { EmailDialog } from './email-dialog.tsx';
import { PictureDialog } from './picture-dialog.tsx';
import { PictureSetting } from './picture-setting.tsx';
import { PhoneDialog, PhoneRemovalDialog } from './phone-dialog.tsx';
import { RecentSetting } from './recent-setting.tsx';
import { TakeoutSetting } from './takeout-setting.tsx';

export async function loader({ context }: Route.LoaderArgs) {
  const { call } = context.get(pageServices);
  const [rules, closing, { takeouts }, preferences] = await Promise.all([
    call(accountApi.signUpRules, {}),
    call(closingApi.rules, {}),
    call(takeoutApi.list, {}),
    call(preferenceApi.read, { query: { items: 'rememberOpenedFiles' } }),
  ]);
  return {
    provesAddresses: rules.mail_verification,
    offersPhones: rules.phone,
    closing,
    takeouts,
    remembersOpened: preferences.rememberOpenedFiles !== false,
  };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  const services = context.get(pageServices);
  const verificationId = textOf(form, 'verification_id');
  try {
    const intent = textOf(form, 'intent');
    if (intent === 'name') return await changeName(form, services);
    if (intent === 'open-takeout') return await openTakeout(form, services);
    if (intent === 'close') return await close(form, services, url);
    if (intent === 'remove-phone') return await removePhone(form, services);
    if (intent === 'phone' && verificationId === '') return await sendPhoneCode(form, services);
    if (intent === 'phone') return await changePhone(form, services, verificationId);
    if (verificationId === '' && form.has('prove')) return await sendCode(form, services);
    return await changeEmail(form, services, verificationId);
  } catch (error) {
    return refused(error, form, stillSent(verificationId, error));
  }
}

async function changeName(form: FormData, { call }: PageServices): Promise<FormResult> {
  await call(accountApi.changeMe, { body: { name: textOf(form, 'name') } });
  return { done: true };
}

async function openTakeout(form: FormData, { call }: PageServices): Promise<FormResult> {
  const body = { password: textOf(form, 'password') };
  const { url } = await call(takeoutApi.open, { params: { id: textOf(form, 'id') }, body });
  return { done: true, url };
}

/** No account data may stay in the page: the next page is a new document. */
async function close(form: FormData, { call }: PageServices, { pathname }: URL): Promise<FormResult> {
  const { closes_at: until } = await call(closingApi.begin, { body: { password: textOf(form, 'password') } });
  const login = withPrefix(splitLocale(pathname).prefix, '/drive/login');
  throw redirectDocument(`${login}?said=closing&until=${encodeURIComponent(until)}`);
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

async function sendPhoneCode(form: FormData, { call, locale }: PageServices): Promise<FormResult> {
  const phone = textOf(form, 'email').trim();
  const sent = await call(securityApi.sendPhoneCode, { body: { phone_number: phone, locale } });
  return {
    typed: { email: phone, name: '' },
    verification: { id: sent.verification_id, retryIn: sent.retry_in },
  };
}

async function changePhone(form: FormData, { call }: PageServices, id: string): Promise<FormResult> {
  const checked = await call(accountApi.checkCode, {
    body: { verification_id: id, verification_code: textOf(form, 'code').trim() },
  });
  await call(securityApi.changePhone, {
    body: {
      phone_number: textOf(form, 'email').trim(),
      password: textOf(form, 'password'),
      verification_token: checked.verification_token,
    },
  });
  return { done: true };
}

async function removePhone(form: FormData, { call }: PageServices): Promise<FormResult> {
  await call(securityApi.removePhone, { body: { password: textOf(form, 'password') } });
  return { done: true };
}

/** Member's identity, and the appearance and language of the product. */
export default function ProfilePage({ loaderData }: Route.ComponentProps) {
  const t = useT();
  const viewer = useViewer();
  const [dialog, setDialog] = useState<'name' | 'email' | 'phone' | 'remove-phone' | 'picture'>();
  const close = (): void => setDialog(undefined);
  if (!viewer) return null;
  const { phone_number: phone } = viewer;
  return (
    <>
      <PageTitle title={t('profile.title')} noIndex />
      <SettingsTitle>{t('profile.title')}</SettingsTitle>
      <Settings title={t('profile.you')}>
        <PictureSetting viewer={viewer} onChoose={() => setDialog('picture')} />
        <Setting label={t('account.name')} value={viewer.name}>
          <Button aria-label={t('profile.name.change')} onClick={() => setDialog('name')}>
            {t('profile.change')}
          </Button>
        </Setting>
        <Setting label={t('account.email')} value={viewer.email || t('profile.email.none')}>
          <Button aria-label={t('profile.email.change')} onClick={() => setDialog('email')}>
            {t('profile.change')}
          </Button>
        </Setting>
        {(loaderData.offersPhones || phone !== '') && (
          <Setting label={t('account.phone')} value={phone || t('profile.phone.none')}>
            <div className="flex shrink-0 gap-2 max-sm:flex-col-reverse max-sm:gap-0.5">
              {phone !== '' && viewer.email !== '' && (
                <Button
                  variant="plain"
                  aria-label={t('profile.phone.remove')}
                  onClick={() => setDialog('remove-phone')}
                >
                  {t('profile.remove')}
                </Button>
              )}
              {loaderData.offersPhones && (
                <Button
                  aria-label={phone === '' ? t('profile.phone.add') : t('profile.phone.change')}
                  onClick={() => setDialog('phone')}
                >
                  {phone === '' ? t('profile.add') : t('profile.change')}
                </Button>
              )}
            </div>
          </Setting>
        )}
      </Settings>
      <Settings title={t('profile.look')}>
        <LanguageSetting />
        <ThemeSetting />
      </Settings>
      <RecentSetting isOn={loaderData.remembersOpened} />
      <TakeoutSetting takeouts={loaderData.takeouts} hasPassword={viewer.password === 'SET'} />
      <ClosingSetting rules={loaderData.closing} hasPassword={viewer.password === 'SET'} />
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
      {dialog === 'picture' && <PictureDialog onClose={close} />}
      {dialog === 'phone' && <PhoneDialog isFirst={phone === ''} onClose={close} />}
      {dialog === 'remove-phone' && <PhoneRemovalDialog onClose={close} />}
      {dialog === 'email' && <EmailDialog needsCode={loaderData.provesAddresses} onClose={close} />}
    </>
  );
}

/** Language of the pages, starting with this one, and of emails. */
function LanguageSetting() {
  const t = useT();
  const call = useCall();
  const locale = useLocale();
  const { pathname, search } = useLocation();
  const choose = async (chosen: Locale): Promise<void> => {
    chooseLocale(chosen);
    await call(accountApi.changeMe, { body: { locale: chosen } }).catch(() => undefined);
    // Reloads the whole page to load the messages of the other language.
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
