import { redirect } from 'react-router';
import { accountApi, WEB_CLIENT_ID } from '@bowerbird/contract';
import { pageServices } from '#app/api/page-services.ts';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/ui/page-title.tsx';
import { AccountCard } from './account-card.tsx';
import { refused, textOf, type FormResult } from './account-form.ts';
import { continuePath } from './continue-path.ts';
import { SignInForm } from './sign-in-form.tsx';
import type { Route } from './+types/sign-in';

export const handle = { layout: 'simple' };

export function loader({ context, url }: Route.LoaderArgs) {
  if (context.get(pageServices).viewer) throw redirect(continuePath(url));
  return { continueTo: continuePath(url), hasNewPassword: url.searchParams.get('said') === 'password' };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  try {
    await context.get(pageServices).call(accountApi.signIn, {
      body: {
        client_id: WEB_CLIENT_ID,
        username: textOf(form, 'email').trim(),
        password: textOf(form, 'password'),
        session: 'cookie',
      },
    });
  } catch (error) {
    return refused(error, form);
  }
  if (form.has('stay')) return { done: true } satisfies FormResult;
  throw redirect(continuePath(url));
}

export default function SignIn({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT();
  return (
    <AccountCard
      title={t('account.signIn.title')}
      text={loaderData.hasNewPassword ? t('account.reset.done') : t('account.signIn.text')}
    >
      <PageTitle title={t('account.signIn.title')} noIndex />
      <SignInForm continueTo={loaderData.continueTo} answered={actionData} />
    </AccountCard>
  );
}
