import { data, Form, redirect, useFetcher, useNavigation } from 'react-router';
import {
  accountApi,
  isApiFailure,
  isErrorId,
  oauthApi,
  WEB_CLIENT_ID,
  type ApiCall,
  type PageServices,
} from '@bowerbird/contract';
import { pageServices } from '#app/api/page-services.ts';
import { textOf } from '#app/browser/form-text.ts';
import { said } from '#app/browser/page-query.ts';
import { loadMessages } from '#app/i18n/catalogue.ts';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { Avatar } from '#app/ui/avatar.tsx';
import { Button } from '#app/ui/button.tsx';
import type { Route } from './+types/auth';
import { AccountCard } from '../form/account-card.tsx';
import { refused, type FormResult } from '../form/account-form.ts';
import { FormAlert, useFormErrors } from '../form/form-parts.tsx';
import { continuePath } from './continue-path.ts';
import { KeepForm } from './keep-form.tsx';
import { safePath } from './safe-path.ts';
import { SecondFactorForm } from './second-factor-form.tsx';

export const handle = { layout: 'simple' };

/**
 * Pending step of a sign-in: linking an external account, which its owner has to confirm; confirming a code
 * from an app; the second step; keeping an account that is being deleted; or a failure.
 */
type Waiting =
  | { readonly kind: 'link'; readonly email: string; readonly label: string; readonly continueTo: string }
  | { readonly kind: 'code'; readonly name: string; readonly email: string; readonly continueTo: string }
  | { readonly kind: 'second'; readonly ticket: string; readonly continueTo: string }
  | {
      readonly kind: 'keep';
      readonly keep: NonNullable<FormResult['keep']>;
      readonly continueTo: string;
    }
  | {
      readonly kind: 'failed';
      readonly failure: NonNullable<FormResult['failure']>;
      readonly continueTo: string;
    };

const PENDING = 'pp_oauth_info';

/**
 * Endpoint of all sign-in flows: processes the parameters, and continues to the intended page, on this site
 * only.
 */
export async function loader({ context, url }: Route.LoaderArgs) {
  const services = context.get(pageServices);
  const { searchParams: asked } = url;
  const waiting =
    services.cookies[PENDING] !== undefined && asked.has('state') && (asked.has('code') || asked.has('error'))
      ? await fromElsewhere(services, asked)
      : asked.has('link')
        ? await toBeLinked(services, url)
        : asked.has('failed')
          ? failed(asked.get('failed')!, continuePath(url, 'state'))
          : asked.has('code')
            ? await handedOver(services, url)
            : undefined;
  if (waiting) return data({ waiting }, { status: waiting.kind === 'failed' ? 400 : 200 });
  throw redirect(onward(services, continuePath(url, 'state')));
}

export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  const [answer] = await Promise.all([serverLoader(), loadMessages('member')]);
  return answer;
}

const ticketOf = (waiting: Waiting): string => (waiting.kind === 'second' ? waiting.ticket : '');

const onward = ({ viewer }: PageServices, next: string): string =>
  viewer ? next : `/drive/login?continue=${encodeURIComponent(next)}`;

const failed = (
  id: string,
  continueTo: string,
  facts: Readonly<Record<string, string>> = {},
  text?: string,
): Waiting => ({
  kind: 'failed',
  failure: { id: isErrorId(id) ? id : 'third_party_failed', facts, text, field: undefined },
  continueTo,
});

/** Handles the return from the other service. */
async function fromElsewhere({ call }: PageServices, asked: URLSearchParams): Promise<Waiting> {
  const told = ['code', 'state', 'iss', 'error'].flatMap((name) =>
    asked.has(name) ? [[name, asked.get(name)!]] : [],
  );
  try {
    const came = await call(oauthApi.finishExternal, { body: Object.fromEntries(told) });
    const next = safePath(came.continue, '/drive/all');
    if (came.outcome === 'in') throw redirect(next);
    throw redirect(`/auth?link=1&state=${encodeURIComponent(next)}`);
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    const { ticket, keep, closes_at: closesAt = '' } = error.facts;
    const next = safePath(error.facts['continue'], '/drive/all');
    if (keep !== undefined) return { kind: 'keep', keep: { ticket: keep, closesAt }, continueTo: next };
    if (ticket !== undefined) return { kind: 'second', ticket, continueTo: next };
    return failed(error.id, '/drive/all', error.facts, error.text);
  }
}

/** Links an external account to the member, who has signed in by now. */
async function toBeLinked(services: PageServices, url: URL): Promise<Waiting> {
  if (!services.viewer) {
    const login = `/drive/login?said=link&continue=${encodeURIComponent(url.pathname + url.search)}`;
    throw redirect(login);
  }
  const continueTo = continuePath(url, 'state');
  try {
    const { label, email } = await services.call(oauthApi.linkExternal, { body: {} });
    return { kind: 'link', label, email, continueTo };
  } catch (error) {
    if (isApiFailure(error)) return failed(error.id, continueTo, error.facts, error.text);
    throw error;
  }
}

/**
 * Handles a code from a first-party app. Asks first if another member is signed in here; an invalid code is
 * only logged.
 */
async function handedOver(services: PageServices, url: URL): Promise<Waiting | undefined> {
  const continueTo = continuePath(url, 'state');
  try {
    const body = { code: said(url.searchParams, 'code') };
    const { sub, name, email } = await services.call(oauthApi.inspectCode, { body });
    return sub === services.viewer?.sub ? undefined : { kind: 'code', name, email, continueTo };
  } catch (error) {
    services.logError(error);
    return undefined;
  }
}

export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  const { call } = context.get(pageServices);
  try {
    if (textOf(form, 'intent') === 'link') await call(oauthApi.linkExternal, { body: { confirm: true } });
    else await takeOver(call, said(url.searchParams, 'code'));
  } catch (error) {
    return refused(error, form);
  }
  throw redirect(continuePath(url, 'state'));
}

async function takeOver(call: ApiCall, code: string): Promise<void> {
  const body = {
    grant_type: 'authorization_code',
    code,
    client_id: WEB_CLIENT_ID,
    session: 'cookie',
  } as const;
  await call(accountApi.token, { body });
}

export default function AuthPage({ loaderData: { waiting }, actionData }: Route.ComponentProps) {
  const t = useT();
  const { state } = useNavigation();
  const fetcher = useFetcher<FormResult>();
  const failure = waiting.kind === 'failed' ? { failure: waiting.failure } : undefined;
  const errors = useFormErrors(fetcher.data ?? actionData ?? failure);
  const alert = <FormAlert>{errors.whole}</FormAlert>;

  if (waiting.kind === 'failed')
    return (
      <AccountCard title={t('oauth.external.failed')} text={t('oauth.external.failedText')}>
        <PageTitle title={t('oauth.external.failed')} noIndex />
        {alert}
        <Button
          href={`/drive/login?continue=${encodeURIComponent(waiting.continueTo)}`}
          variant="primary"
          size="l"
          className="mt-5 w-full"
        >
          {t('account.forgot.back')}
        </Button>
      </AccountCard>
    );
  const kept = fetcher.data?.keep ?? (waiting.kind === 'keep' ? waiting.keep : undefined);
  const form = {
    fetcher,
    action: `/drive/login?continue=${encodeURIComponent(waiting.continueTo)}`,
    errors,
    stays: false,
  };
  if (waiting.kind === 'keep' || waiting.kind === 'second')
    return (
      <AccountCard title={t('account.signIn.title')}>
        <PageTitle title={t('account.signIn.title')} noIndex />
        {kept ? (
          <KeepForm {...form} kept={kept} />
        ) : (
          <SecondFactorForm {...form} ticket={fetcher.data?.secondFactor?.ticket ?? ticketOf(waiting)} />
        )}
      </AccountCard>
    );
  const isLink = waiting.kind === 'link';
  const title = isLink
    ? t('oauth.external.linkTitle', { label: waiting.label })
    : t('oauth.handOver.title', { name: waiting.name });
  return (
    <AccountCard
      title={title}
      text={isLink ? t('oauth.external.linkText', { label: waiting.label }) : t('oauth.handOver.text')}
    >
      <PageTitle title={title} noIndex />
      <meta name="referrer" content="same-origin" />
      {alert}
      <div className="mt-1 flex items-center gap-3 rounded-control border border-line px-3 py-2.5">
        <Avatar name={isLink ? waiting.email : waiting.name} size={36} />
        <div className="min-w-0">
          <div className="truncate font-medium">{isLink ? waiting.label : waiting.name}</div>
          <div className="truncate text-13 text-ink-2">{waiting.email}</div>
        </div>
      </div>
      <Form method="post" className="mt-6 grid gap-2.5">
        <input type="hidden" name="intent" value={waiting.kind} />
        <Button type="submit" variant="primary" size="l" className="w-full" busy={state === 'submitting'}>
          {isLink ? t('oauth.external.link') : t('oauth.handOver.continue')}
        </Button>
        <Button href={waiting.continueTo} variant="plain" className="w-full">
          {t('oauth.external.notNow')}
        </Button>
      </Form>
    </AccountCard>
  );
}
