import { useState } from 'react';
import { Form, redirect, useNavigation } from 'react-router';
import { isApiFailure, oauthApi } from '@bowerbird/contract';
import { signInFirst } from '#app/api/members-only.ts';
import { pageServices } from '#app/api/page-services.ts';
import { textOf } from '#app/browser/form-text.ts';
import { loadMessages } from '#app/i18n/catalogue.ts';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';
import type { Route } from './+types/device';
import { AccountCard } from '../form/account-card.tsx';
import { refused } from '../form/account-form.ts';
import { FormAlert, useFormErrors } from '../form/form-parts.tsx';
import { BigSuccess } from './big-success.tsx';
import { Consent, Decision } from './consent.tsx';

export const handle = { layout: 'simple' };

const CODE_LENGTH = 8;

/** Formats a code as the device shows it: `BCDF-GHJK`. */
function shown(text: string): string {
  const letters = text
    .toUpperCase()
    .replaceAll(/[^A-Z]/g, '')
    .slice(0, CODE_LENGTH);
  return letters.length > 4 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters;
}

export function loader({ context, url }: Route.LoaderArgs) {
  if (!context.get(pageServices).viewer) throw redirect(signInFirst(url));
  return { typed: shown(url.searchParams.get('user_code') ?? '') };
}

export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  const [answer] = await Promise.all([serverLoader(), loadMessages('member')]);
  return answer;
}

/** Looks up the app for the entered code, then submits the decision. */
export async function action({ request, context, url }: Route.ActionArgs) {
  const form = await request.formData();
  const code = shown(textOf(form, 'user_code'));
  const said = textOf(form, 'decision');
  const decision = said === 'allow' || said === 'deny' ? said : undefined;
  try {
    const asks = await context
      .get(pageServices)
      .call(oauthApi.decideDevice, { body: { user_code: code, ...(decision && { decision }) } });
    return { asks, code, decision };
  } catch (error) {
    if (isApiFailure(error) && error.id === 'unauthenticated') throw redirect(signInFirst(url));
    return refused(error, form, {}, { not_found: 'code', expired_token: 'code', too_frequent: 'code' });
  }
}

/** Authorizes a device that shows a code: a television, or a desktop program. */
export default function DevicePage({ loaderData, actionData }: Route.ComponentProps) {
  const t = useT();
  const { state, formData } = useNavigation();
  const [typed, setTyped] = useState(loaderData.typed);
  const [left, setLeft] = useState<unknown>();
  const errors = useFormErrors(actionData && 'failure' in actionData ? actionData : undefined);
  const seen = actionData && 'asks' in actionData && actionData !== left ? actionData : undefined;
  const busy = state === 'submitting' ? (formData?.get('decision') as 'allow' | null) : undefined;

  if (seen?.decision === 'allow')
    return (
      <>
        <PageTitle title={t('oauth.device.done')} noIndex />
        <BigSuccess
          title={t('oauth.device.done')}
          text={t('oauth.device.doneText', { app: seen.asks.app.name })}
          actions={<Button href="/drive/all">{t('ui.user.drive')}</Button>}
        />
      </>
    );
  if (seen?.decision === 'deny')
    return (
      <EmptyState
        level={1}
        title={t('oauth.device.denied')}
        text={t('oauth.device.deniedText', { app: seen.asks.app.name })}
        actions={<Button href="/drive/all">{t('ui.user.drive')}</Button>}
      />
    );
  if (seen)
    return (
      <AccountCard
        title={t('oauth.device.confirm', { app: seen.asks.app.name })}
        text={t('oauth.device.confirmText')}
      >
        <PageTitle title={t('oauth.device.confirm', { app: seen.asks.app.name })} noIndex />
        <Form method="post">
          <input type="hidden" name="user_code" value={seen.code} />
          <p className="mb-5 rounded-control bg-sunken py-3 text-center font-mono text-28 font-semibold tracking-widest">
            {seen.code}
          </p>
          <Consent asks={seen.asks} />
          <Decision busy={busy ?? undefined} />
        </Form>
        <Button variant="plain" className="mt-2.5 w-full" onClick={() => setLeft(actionData)}>
          {t('oauth.device.otherCode')}
        </Button>
      </AccountCard>
    );
  return (
    <AccountCard title={t('oauth.device.title')} text={t('oauth.device.text')}>
      <PageTitle title={t('oauth.device.title')} noIndex />
      <Form method="post" className="grid gap-4">
        <FormAlert>{errors.whole}</FormAlert>
        <TextField
          label={t('oauth.device.code')}
          name="user_code"
          value={typed}
          onChange={(event) => setTyped(shown(event.target.value))}
          placeholder="BCDF-GHJK"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={16}
          required
          // The page asks for nothing else.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          error={errors.at('code')}
          className="[&_input]:text-center [&_input]:font-mono [&_input]:text-20 [&_input]:tracking-widest"
        />
        <Button
          type="submit"
          variant="primary"
          size="l"
          className="mt-1 w-full"
          busy={state === 'submitting'}
        >
          {t('oauth.device.continue')}
        </Button>
      </Form>
    </AccountCard>
  );
}
