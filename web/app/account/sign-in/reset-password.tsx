import { redirect, useFetcher } from 'react-router';
import { accountApi, LIMITS, splitLocale } from '@bowerbird/contract';
import { pageServices } from '#app/api/page-services.ts';
import { textOf } from '#app/browser/form-text.ts';
import { useLocalePath, withPrefix } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { Button } from '#app/ui/button.tsx';
import type { Route } from './+types/reset-password';
import { AccountCard } from '../form/account-card.tsx';
import { NewPasswordField } from '../form/account-fields.tsx';
import { refused, type FormResult } from '../form/account-form.ts';
import { FormAlert, useFormErrors } from '../form/form-parts.tsx';

export const handle = { layout: 'simple' };

/**
 * Accepts the link that an administrator passes on; submitting the form uses it up, viewing the page doesn't.
 */
export function loader({ url }: Route.LoaderArgs) {
  return { token: url.searchParams.get('token') ?? '' };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  try {
    await context.get(pageServices).call(accountApi.resetPassword, {
      body: {
        verification_token: textOf(form, 'token'),
        new_password: textOf(form, 'new_password'),
      },
    });
  } catch (error) {
    return refused(error, form, {}, { password_too_weak: 'newPassword', verification_code_expired: 'link' });
  }
  throw redirect(withPrefix(splitLocale(url.pathname).prefix, '/drive/login?said=password'));
}

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT();
  const path = useLocalePath();
  const fetcher = useFetcher<FormResult>();
  const result = fetcher.data ?? actionData;
  const errors = useFormErrors(result);
  return (
    <AccountCard title={t('account.reset.title')} text={t('account.reset.text')}>
      <PageTitle title={t('account.reset.title')} noIndex />
      {/* The address contains the single-use token. */}
      <meta name="referrer" content="no-referrer" />
      <fetcher.Form method="post" action={path('/reset-password')} className="grid gap-4">
        <input type="hidden" name="token" value={loaderData.token} />
        <FormAlert>{errors.whole}</FormAlert>
        {errors.at('link') !== undefined && <FormAlert>{t('account.reset.over')}</FormAlert>}
        <NewPasswordField
          name="new_password"
          error={errors.at('newPassword')}
          passwordMin={LIMITS.passwordMin}
        />
        <Button
          type="submit"
          variant="primary"
          size="l"
          busy={fetcher.state !== 'idle'}
          className="mt-1 w-full"
        >
          {t('account.forgot.submit')}
        </Button>
      </fetcher.Form>
    </AccountCard>
  );
}
