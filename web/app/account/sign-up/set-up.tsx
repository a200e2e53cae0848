import { redirect, useFetcher } from 'react-router';
import { accountApi, LIMITS } from '@bowerbird/contract';
import { pageServices } from '#app/api/page-services.ts';
import { textOf } from '#app/browser/form-text.ts';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { Button } from '#app/ui/button.tsx';
import type { Route } from './+types/set-up';
import { AccountCard } from '../form/account-card.tsx';
import { EmailField, NewMemberFields } from '../form/account-fields.tsx';
import { refused, type FormResult } from '../form/account-form.ts';
import { FormAlert, useFormErrors } from '../form/form-parts.tsx';
import { continuePath } from '../sign-in/continue-path.ts';

export const handle = { layout: 'simple' };

/** Creates the first administrator, from the one-time link that the first start prints. */
export async function action({ request, params, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  try {
    await context.get(pageServices).call(accountApi.setUp, {
      body: {
        setup_token: params.token,
        email: textOf(form, 'email').trim(),
        password: textOf(form, 'password'),
        name: textOf(form, 'name').trim(),
        session: 'cookie',
      },
    });
  } catch (error) {
    return refused(error, form);
  }
  throw redirect(continuePath(url, 'continue', '/admin'));
}

export default function SetUp({ actionData }: Route.ComponentProps) {
  const t = useT();
  const fetcher = useFetcher<FormResult>();
  const result = fetcher.data ?? actionData;
  const errors = useFormErrors(result);
  return (
    <AccountCard title={t('account.setUp.title')} text={t('account.setUp.text')}>
      <PageTitle title={t('account.setUp.title')} noIndex />
      {/* The address contains the one-time token. */}
      <meta name="referrer" content="same-origin" />
      <fetcher.Form method="post" className="grid gap-4">
        <FormAlert>{errors.whole}</FormAlert>
        <EmailField result={result} errors={errors} autoComplete="email" />
        <NewMemberFields result={result} errors={errors} passwordMin={LIMITS.passwordMin} />
        <Button
          type="submit"
          variant="primary"
          size="l"
          busy={fetcher.state !== 'idle'}
          className="mt-1 w-full"
        >
          {t('account.setUp.submit')}
        </Button>
      </fetcher.Form>
    </AccountCard>
  );
}
