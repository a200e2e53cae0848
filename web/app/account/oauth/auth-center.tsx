import { useEffect } from 'react';
import { data, Form, redirect, useNavigation, type ShouldRevalidateFunctionArgs } from 'react-router';
import { isApiFailure, oauthApi } from '@bowerbird/contract';
import { signInFirst } from '#app/api/members-only.ts';
import { pageServices } from '#app/api/page-services.ts';
import { textOf } from '#app/browser/form-text.ts';
import { loadMessages } from '#app/i18n/catalogue.ts';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { Button } from '#app/ui/button.tsx';
import { Spinner } from '#app/ui/spinner.tsx';
import type { Route } from './+types/auth-center';
import { AccountCard } from '../form/account-card.tsx';
import { refused, type FormResult } from '../form/account-form.ts';
import { FormAlert, useFormErrors } from '../form/form-parts.tsx';
import { authorizationRequest } from './authorization-request.ts';
import { Consent, Decision } from './consent.tsx';

export const handle = { layout: 'simple' };

export async function loader({ context, url }: Route.LoaderArgs) {
  const { call } = context.get(pageServices);
  // For members who must sign in again, or want to switch accounts.
  const again = `${signInFirst(url)}&again=1`;
  try {
    const { redirect_to: to, asks } = await call(oauthApi.authorize, { body: authorizationRequest(url) });
    if (to !== '') throw redirect(to);
    return { asks, again, failure: undefined };
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    if (error.id === 'login_required') throw redirect(error.facts['again'] ? again : signInFirst(url));
    const failure = { id: error.id, facts: error.facts, text: error.text, field: undefined };
    return data({ asks: undefined, again, failure } as const, { status: error.status });
  }
}

export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  const [answer] = await Promise.all([serverLoader(), loadMessages('member')]);
  return answer;
}

/** Submits the decision; the page then redirects to the app by script, since a form submission may not. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  const decision = textOf(form, 'decision') === 'allow' ? 'allow' : 'deny';
  try {
    const { redirect_to: to } = await context
      .get(pageServices)
      .call(oauthApi.authorize, { body: { ...authorizationRequest(url), decision } });
    return { to };
  } catch (error) {
    return refused(error, form);
  }
}

/** The request was answered: revalidating would answer it again. */
export function shouldRevalidate({ formMethod, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) {
  return formMethod !== 'POST' && defaultShouldRevalidate;
}

/** Asks the member to authorize an app. */
export default function AuthCenter({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT();
  const { state, formData } = useNavigation();
  const to = actionData && 'to' in actionData ? actionData.to : undefined;
  const result: FormResult | undefined =
    actionData && 'failure' in actionData
      ? actionData
      : loaderData.failure && { failure: loaderData.failure };
  const errors = useFormErrors(result);
  const { asks } = loaderData;
  useEffect(() => {
    if (to !== undefined) window.location.replace(to);
  }, [to]);

  if (!asks)
    return (
      <AccountCard title={t('oauth.consent.impossible')} text={t('oauth.consent.impossibleText')}>
        <PageTitle title={t('oauth.consent.impossible')} noIndex />
        <FormAlert>{errors.whole}</FormAlert>
        <Button href="/" className="mt-5 w-full" size="l">
          {t('site.nav.home')}
        </Button>
      </AccountCard>
    );
  const { app } = asks;
  if (to !== undefined)
    return (
      <AccountCard title={t('oauth.consent.back', { app: app.name })}>
        <PageTitle title={t('oauth.consent.back', { app: app.name })} noIndex />
        <p className="flex items-center gap-3 text-ink-2" role="status">
          <Spinner />
          <a href={to} className="font-medium text-blue-strong underline-offset-3 hover:underline">
            {t('oauth.consent.backLink')}
          </a>
        </p>
      </AccountCard>
    );
  return (
    <AccountCard
      title={t('oauth.consent.title', { app: app.name })}
      text={t('oauth.consent.text', { app: app.name })}
    >
      <PageTitle title={t('oauth.consent.title', { app: app.name })} noIndex />
      {/* The address contains parameters that are private to the app. */}
      <meta name="referrer" content="same-origin" />
      <Form method="post">
        <FormAlert>{errors.whole}</FormAlert>
        <Consent asks={asks} />
        <Decision busy={state === 'submitting' ? (formData?.get('decision') as 'allow') : undefined} />
      </Form>
      <p className="mt-5 text-center text-13 text-ink-2">
        <LocaleLink
          to={loaderData.again}
          className="font-medium text-blue-strong underline-offset-3 hover:underline"
        >
          {t('oauth.consent.otherAccount')}
        </LocaleLink>
      </p>
    </AccountCard>
  );
}
