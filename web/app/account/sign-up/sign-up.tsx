import type { ReactNode } from 'react';
import { redirect } from 'react-router';
import {
  accountApi,
  inviteCodeIn,
  isApiFailure,
  membershipApi,
  WEB_CLIENT_ID,
  type PageServices,
} from '@bowerbird/contract';
import { call, pageFacts } from '#app/api/client.ts';
import { pageServices } from '#app/api/page-services.ts';
import { useOffers } from '#app/api/offers.ts';
import { textOf } from '#app/browser/form-text.ts';
import { INVITE_COOKIE, INVITE_SECONDS } from '#app/browser/invite-code.ts';
import { said } from '#app/browser/page-query.ts';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { PublicHead } from '#app/page/public-head.tsx';
import { Button } from '#app/ui/button.tsx';
import type { Route } from './+types/sign-up';
import { AccountCard } from '../form/account-card.tsx';
import { addressIn, isMail, NO_CODE, refused, stillSent, type FormResult } from '../form/account-form.ts';
import { continuePath } from '../sign-in/continue-path.ts';
import { SignUpForm } from './sign-up-form.tsx';

export const handle = { layout: 'simple' };

/**
 * Parameter of the page for accounts that wait for approval, and its value if the approval is announced by
 * email.
 */
const WAITING = 'waiting';
const BY_MAIL = 'mail';

export async function loader({ context, url }: Route.LoaderArgs) {
  const { viewer, call, cookies, setCookie } = context.get(pageServices);
  if (viewer) throw redirect(continuePath(url));
  const [rules, { invitations }] = await Promise.all([
    call(accountApi.signUpRules, {}),
    call(membershipApi.offers, {}),
  ]);
  const code = invitations ? inviteCodeIn(said(url.searchParams, 'invite')) : undefined;
  if (code !== undefined) setCookie(INVITE_COOKIE, code, { maxAge: INVITE_SECONDS });
  return {
    continueTo: continuePath(url),
    rules,
    isInvited: invitations !== null && (code ?? inviteCodeIn(cookies[INVITE_COOKIE])) !== undefined,
    isWaiting: url.searchParams.has(WAITING),
    isWrittenTo: rules.mail_verification && url.searchParams.get(WAITING) === BY_MAIL,
  };
}

type Services = Pick<PageServices, 'call' | 'locale'> & { readonly signedUp?: () => void };

export async function action({ request, context, url }: Route.ActionArgs) {
  return answer(context.get(pageServices), await request.formData(), url);
}

/**
 * Calls the API from the browser, since the calls carry a captcha token and may show a challenge. Without
 * scripts, the server makes them.
 */
export async function clientAction({ request, url }: Route.ClientActionArgs) {
  const signedUp = (): void =>
    void import('#app/statistics/where-from.ts').then(({ countSignUp }) => countSignUp());
  return answer({ call, locale: pageFacts().locale, signedUp }, await request.formData(), url);
}

async function answer(services: Services, form: FormData, url: URL) {
  const verificationId = textOf(form, 'verification_id');
  try {
    if (form.get('step') === 'code' && isProven(form)) return await sendCode(form, services);
    if (form.get('step') === 'code')
      return {
        typed: { email: textOf(form, 'email').trim(), name: '' },
        verification: { id: NO_CODE, retryIn: 0 },
      } satisfies FormResult;
    await signUp(form, services, verificationId);
  } catch (error) {
    if (isApiFailure(error) && error.id === 'account_not_activated') {
      services.signedUp?.();
      throw redirect(`${url.pathname}?${WAITING}=${isMail(textOf(form, 'email')) ? BY_MAIL : ''}`);
    }
    return refused(error, form, stillSent(verificationId, error));
  }
  services.signedUp?.();
  throw redirect(continuePath(url));
}

/** Phone numbers are always verified; email addresses only if this service sends email. */
const isProven = (form: FormData): boolean => form.has('proves') || !isMail(textOf(form, 'email'));

async function sendCode(form: FormData, { call, locale }: Services): Promise<FormResult> {
  const email = textOf(form, 'email').trim();
  const sent = await call(accountApi.sendCode, {
    body: { client_id: WEB_CLIENT_ID, ...addressIn(form), locale, usage: 'REGISTER' },
  });
  return {
    typed: { email, name: textOf(form, 'name') },
    verification: { id: sent.verification_id, retryIn: sent.retry_in },
  };
}

async function signUp(form: FormData, { call, locale }: Services, verificationId: string): Promise<void> {
  const proof =
    verificationId === '' || verificationId === NO_CODE
      ? {}
      : await call(accountApi.checkCode, {
          body: {
            client_id: WEB_CLIENT_ID,
            verification_id: verificationId,
            verification_code: textOf(form, 'code').trim(),
          },
        }).then((checked) => ({ verification_token: checked.verification_token }));
  await call(accountApi.signUp, {
    body: {
      client_id: WEB_CLIENT_ID,
      ...addressIn(form),
      password: textOf(form, 'password'),
      name: textOf(form, 'name').trim(),
      locale,
      session: 'cookie',
      ...proof,
    },
  });
}

export default function SignUp({
  loaderData: { continueTo, rules, isInvited, isWaiting, isWrittenTo },
  actionData,
}: Route.ComponentProps) {
  const t = useT();
  const format = useFormat();
  if (isWaiting)
    return (
      <Elsewhere title={t('account.signUp.waitingTitle')}>
        <p>{t('account.signUp.waitingText')}</p>
        {isWrittenTo && <p className="mt-2">{t('account.signUp.waitingMail')}</p>}
      </Elsewhere>
    );
  if (!rules.open)
    return <Elsewhere title={t('account.signUp.closedTitle')}>{t('account.signUp.closedText')}</Elsewhere>;
  const space = Number(rules.free_storage);
  return (
    <AccountCard
      title={t('account.signUp.title')}
      text={
        <>
          <p>
            {space > 0
              ? t('account.signUp.text', { space: format.bytes(space) })
              : t('account.signUp.textNoSpace')}
          </p>
          <Gifts isInvited={isInvited} />
          {rules.approval && <p className="mt-1">{t('account.signUp.approvalText')}</p>}
        </>
      }
    >
      <PublicHead path="/sign-up" title={t('account.signUp.title')} description={t('home.lead')} />
      <SignUpForm
        continueTo={continueTo}
        needsCode={rules.mail_verification}
        takesPhones={rules.phone}
        passwordMin={rules.password_min}
        answered={actionData}
      />
    </AccountCard>
  );
}

/** Days of a plan that a new member gets. */
function Gifts({ isInvited }: { isInvited: boolean }) {
  const t = useT();
  const { free_days: freeDays, free_plan: freePlan, invitations } = useOffers();
  return (
    <>
      {freeDays > 0 && (
        <p className="mt-1">{t('account.signUp.freeDays', { count: freeDays, plan: freePlan })}</p>
      )}
      {isInvited && invitations && invitations.invited_days > 0 && (
        <p className="mt-1">
          {t('account.signUp.invited', { count: invitations.invited_days, plan: invitations.plan })}
        </p>
      )}
    </>
  );
}

/** Explains why no form is shown, and where to continue. */
function Elsewhere({ title, children }: { title: string; children: ReactNode }) {
  const t = useT();
  return (
    <AccountCard title={title} text={children}>
      <PageTitle title={title} noIndex />
      <Button href="/drive/login" size="l" className="w-full">
        {t('account.signIn.link')}
      </Button>
    </AccountCard>
  );
}
