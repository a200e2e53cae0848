import { data, redirect, useFetcher } from 'react-router';
import { accountApi, splitLocale, WEB_CLIENT_ID, type PageServices } from '@bowerbird/contract';
import { call, pageFacts } from '#app/api/client.ts';
import { pageServices } from '#app/api/page-services.ts';
import { textOf } from '#app/browser/form-text.ts';
import { useLocalePath, withPrefix } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { Button } from '#app/ui/button.tsx';
import type { Route } from './+types/forgot-password';
import { AccountCard } from '../form/account-card.tsx';
import { AddressField, addressKind, NewPasswordField } from '../form/account-fields.tsx';
import { addressIn, refused, stillSent, type FormResult } from '../form/account-form.ts';
import { FormAlert, useFormErrors } from '../form/form-parts.tsx';
import { ResendButton } from '../form/resend-button.tsx';
import { SentCode } from '../form/sent-code.tsx';

export const handle = { layout: 'simple' };

export async function loader({ context }: Route.LoaderArgs) {
  const rules = await context.get(pageServices).call(accountApi.signUpRules, {});
  return {
    ways: { mail: rules.mail_verification, phone: rules.phone },
    passwordMin: rules.password_min,
  };
}

type Services = Pick<PageServices, 'call' | 'locale'>;

export async function action({ request, context, url }: Route.ActionArgs) {
  return answer(context.get(pageServices), await request.formData(), url);
}

/**
 * Calls the API from the browser, since the calls carry a captcha token and may show a challenge. Without
 * scripts, the server makes them.
 */
export async function clientAction({ request, url }: Route.ClientActionArgs) {
  return answer({ call, locale: pageFacts().locale }, await request.formData(), url);
}

async function answer(services: Services, form: FormData, url: URL) {
  const verificationId = textOf(form, 'verification_id');
  try {
    if (form.get('step') === 'code') return data(await sendCode(form, services));
    await reset(form, services, verificationId);
  } catch (error) {
    return refused(error, form, stillSent(verificationId, error), { password_too_weak: 'newPassword' });
  }
  throw redirect(withPrefix(splitLocale(url.pathname).prefix, '/drive/login?said=password'));
}

async function sendCode(form: FormData, { call, locale }: Services): Promise<FormResult> {
  const email = textOf(form, 'email').trim();
  const sent = await call(accountApi.sendCode, {
    body: { client_id: WEB_CLIENT_ID, ...addressIn(form), locale, usage: 'PASSWORD_RESET' },
  });
  return { typed: { email, name: '' }, verification: { id: sent.verification_id, retryIn: sent.retry_in } };
}

async function reset(form: FormData, { call }: Services, verificationId: string): Promise<void> {
  const { verification_token: proof } = await call(accountApi.checkCode, {
    body: { verification_id: verificationId, verification_code: textOf(form, 'code').trim() },
  });
  await call(accountApi.resetPassword, {
    body: { verification_token: proof, new_password: textOf(form, 'new_password') },
  });
}

export default function ForgotPassword({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT();
  const path = useLocalePath();
  const fetcher = useFetcher<FormResult>();
  const result = fetcher.data ?? actionData;
  const errors = useFormErrors(result);
  const { verification, typed } = result ?? {};
  const { ways } = loaderData;
  if (!ways.mail && !ways.phone) return <NoMail />;
  return (
    <AccountCard
      title={t('account.forgot.title')}
      text={verification ? undefined : t(`account.forgot.text${addressKind(ways)}`)}
    >
      <PageTitle title={t('account.forgot.title')} noIndex />
      <fetcher.Form
        key={verification ? 'password' : 'address'}
        method="post"
        action={path('/forgot-password')}
        className="grid gap-4"
      >
        <FormAlert>{errors.whole}</FormAlert>
        {verification ? (
          <>
            <SentCode id={verification.id} to={typed?.email} says="account.forgot.sent" errors={errors} />
            <NewPasswordField
              name="new_password"
              error={errors.at('newPassword')}
              passwordMin={loaderData.passwordMin}
            />
          </>
        ) : (
          <AddressField result={result} errors={errors} ways={ways} autoComplete="username" />
        )}
        <Button
          type="submit"
          name="step"
          value={verification ? 'password' : 'code'}
          variant="primary"
          size="l"
          busy={fetcher.state !== 'idle'}
          className="mt-1 w-full"
        >
          {verification ? t('account.forgot.submit') : t('account.forgot.sendCode')}
        </Button>
        {verification && <ResendButton verification={verification} />}
        {!verification && (
          <Button href="/drive/login" variant="plain" className="w-full">
            {t('account.forgot.back')}
          </Button>
        )}
      </fetcher.Form>
    </AccountCard>
  );
}

/** Shown if the service sends no email: an administrator creates a link for a new password. */
function NoMail() {
  const t = useT();
  return (
    <AccountCard title={t('account.forgot.title')} text={t('account.forgot.noMail')}>
      <PageTitle title={t('account.forgot.title')} noIndex />
      <div className="grid gap-2.5">
        <Button href="/contact-us" variant="primary" size="l" className="w-full">
          {t('account.forgot.contact')}
        </Button>
        <Button href="/drive/login" variant="plain" className="w-full">
          {t('account.forgot.back')}
        </Button>
      </div>
    </AccountCard>
  );
}
