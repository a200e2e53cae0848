import { redirect } from 'react-router';
import {
  accountApi,
  closingApi,
  isApiFailure,
  oauthApi,
  WEB_CLIENT_ID,
  type ApiCall,
  type PageServices,
} from '@bowerbird/contract';
import { call, pageFacts } from '#app/api/client.ts';
import { pageServices } from '#app/api/page-services.ts';
import { textOf } from '#app/browser/form-text.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import type { Route } from './+types/sign-in';
import { AccountCard } from '../form/account-card.tsx';
import { addressIn, refused, stillSent, type FormResult } from '../form/account-form.ts';
import { continuePath } from './continue-path.ts';
import { desktopRequest } from './desktop-request.ts';
import { SignInForm } from './sign-in-form.tsx';

export const handle = { layout: 'simple' };

export async function loader({ context, url }: Route.LoaderArgs) {
  const { viewer, call } = context.get(pageServices);
  const continueTo = desktopRequest(url) ?? continuePath(url);
  // Members who are asked to sign in again, or as someone else, are still signed in at this point.
  if (viewer && !url.searchParams.has('again')) throw redirect(continueTo);
  const { external, mail_code: mailCode, phone_code: phoneCode } = await call(oauthApi.doors, {});
  const said = url.searchParams.get('said');
  const until = url.searchParams.get('until') ?? '';
  return { continueTo, doors: { external, mailCode, phoneCode }, said, until };
}

export async function action({ request, context, url }: Route.ActionArgs) {
  return signIn(context.get(pageServices), await request.formData(), url);
}

/**
 * Calls the API from the browser, since the calls carry a captcha token and may show a challenge. Without
 * scripts, the server makes them.
 */
export async function clientAction({ request, url }: Route.ClientActionArgs) {
  return signIn({ call, locale: pageFacts().locale }, await request.formData(), url);
}

type Services = Pick<PageServices, 'call' | 'locale'>;

async function signIn(services: Services, form: FormData, url: URL) {
  const { call } = services;
  const ticket = textOf(form, 'ticket');
  const keep = textOf(form, 'keep');
  const verificationId = textOf(form, 'verification_id');
  try {
    if (form.get('step') === 'code') return await sendCode(services, form);
    if (keep !== '') await keepAccount(call, keep);
    else if (ticket !== '') await answer(call, form, ticket);
    else if (verificationId !== '') await enterByCode(call, form, verificationId);
    else await enter(call, form);
  } catch (error) {
    const { ticket: asked, keep: kept, closes_at: closesAt = '' } = isApiFailure(error) ? error.facts : {};
    if (kept !== undefined) return { keep: { ticket: kept, closesAt } } satisfies FormResult;
    if (asked !== undefined) return { secondFactor: { ticket: asked } } satisfies FormResult;
    // An expired ticket is useless: the form starts over.
    const isOver = ticket === '' || (isApiFailure(error) && error.id === 'token_expired');
    return refused(error, form, isOver ? stillSent(verificationId, error) : { secondFactor: { ticket } });
  }
  if (form.has('stay')) return { done: true } satisfies FormResult;
  throw redirect(continuePath(url));
}

async function keepAccount(call: ApiCall, ticket: string): Promise<void> {
  await call(closingApi.keep, { body: { client_id: WEB_CLIENT_ID, ticket, session: 'cookie' } });
}

async function enter(call: ApiCall, form: FormData): Promise<void> {
  const username = textOf(form, 'email').trim();
  const password = textOf(form, 'password');
  await call(accountApi.signIn, {
    body: { client_id: WEB_CLIENT_ID, username, password, session: 'cookie' },
  });
}

async function sendCode({ call, locale }: Services, form: FormData): Promise<FormResult> {
  const email = textOf(form, 'email').trim();
  const sent = await call(accountApi.sendCode, {
    body: { client_id: WEB_CLIENT_ID, ...addressIn(form), locale, usage: 'SIGN_IN' },
  });
  return { typed: { email, name: '' }, verification: { id: sent.verification_id, retryIn: sent.retry_in } };
}

async function enterByCode(call: ApiCall, form: FormData, verificationId: string): Promise<void> {
  const { verification_token: proof } = await call(accountApi.checkCode, {
    body: {
      client_id: WEB_CLIENT_ID,
      verification_id: verificationId,
      verification_code: textOf(form, 'code').trim(),
    },
  });
  await call(accountApi.signIn, {
    body: {
      client_id: WEB_CLIENT_ID,
      username: textOf(form, 'email').trim(),
      verification_token: proof,
      session: 'cookie',
    },
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
      text={
        loaderData.said === 'closing'
          ? t.rich('account.keep.begun', { date: <DateTime at={loaderData.until} /> })
          : loaderData.said === 'password'
            ? t('account.reset.done')
            : loaderData.said === 'link'
              ? t('account.external.signInFirst')
              : t('account.signIn.text')
      }
    >
      <PageTitle title={t('account.signIn.title')} noIndex />
      <SignInForm continueTo={loaderData.continueTo} answered={actionData} doors={loaderData.doors} />
    </AccountCard>
  );
}
