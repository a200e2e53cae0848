import { redirect } from 'react-router';
import { accountApi, isApiFailure, WEB_CLIENT_ID, type ApiCall } from '@bowerbird/contract';
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
  const { call } = context.get(pageServices);
  const ticket = textOf(form, 'ticket');
  try {
    if (ticket === '') await enter(call, form);
    else await answer(call, form, ticket);
  } catch (error) {
    const asked = isApiFailure(error) ? error.facts['ticket'] : undefined;
    if (asked !== undefined) return { secondFactor: { ticket: asked } } satisfies FormResult;
    // One that ran out is no use: the form begins anew.
    const isOver = ticket === '' || (isApiFailure(error) && error.id === 'token_expired');
    return refused(error, form, isOver ? {} : { secondFactor: { ticket } });
  }
  if (form.has('stay')) return { done: true } satisfies FormResult;
  throw redirect(continuePath(url));
}

async function enter(call: ApiCall, form: FormData): Promise<void> {
  const username = textOf(form, 'email').trim();
  const password = textOf(form, 'password');
  await call(accountApi.signIn, {
    body: { client_id: WEB_CLIENT_ID, username, password, session: 'cookie' },
  });
}

async function answer(call: ApiCall, form: FormData, ticket: string): Promise<void> {
  const code = textOf(form, 'code');
  const recovery = textOf(form, 'recovery_code');
  await call(accountApi.secondFactor, {
    body: {
      client_id: WEB_CLIENT_ID,
      ticket,
      ...(recovery === '' ? { code } : { recovery_code: recovery }),
      remember: form.has('remember'),
      session: 'cookie',
    },
  });
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
