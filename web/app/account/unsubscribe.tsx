import { BellOff, MailX } from 'lucide-react';
import { data, Form, useNavigation } from 'react-router';
import {
  ApiFailure,
  isApiFailure,
  unsubscribeApi,
  type PageServices,
  type ReplyOf,
} from '@bowerbird/contract';
import { useErrorText } from '#app/api/error-text.ts';
import { pageServices } from '#app/api/page-services.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import type { Route } from './+types/unsubscribe';
import { FormAlert } from './form/form-parts.tsx';

export const handle = { layout: 'basic' };

type About = ReplyOf<typeof unsubscribeApi.look>;

/**
 * Loads the subscription that the link is about, without changing it. Programs that follow every link in an
 * email don't unsubscribe anyone.
 */
export async function loader({ context, url }: Route.LoaderArgs) {
  const d = url.searchParams.get('d') ?? '';
  if (d === '') return data({ about: undefined, hasLink: false });
  const about = await look(context.get(pageServices), d);
  return data({ about, hasLink: true }, { status: about ? 200 : 404 });
}

async function look({ call }: PageServices, d: string): Promise<About | undefined> {
  try {
    return await call(unsubscribeApi.look, { query: { d } });
  } catch (error) {
    if (isApiFailure(error)) return undefined;
    throw error;
  }
}

/** Handles a press of the button, or an email program that posts to the address in the email's header. */
export async function action({ context, url }: Route.ActionArgs) {
  const d = url.searchParams.get('d') ?? '';
  try {
    await context.get(pageServices).call(unsubscribeApi.act, { query: { d } });
    return data({ failure: undefined });
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    const { id, facts, text, status } = error;
    return data({ failure: { id, facts, text } }, { status });
  }
}

export default function Unsubscribe({
  loaderData: { about, hasLink },
  actionData,
}: Pick<Route.ComponentProps, 'loaderData' | 'actionData'>) {
  const t = useT();
  const textFor = useErrorText();
  const path = useLocalePath();
  const navigation = useNavigation();
  const failure = actionData?.failure;
  // A link may expire between opening the page and pressing the button.
  if (!about || failure?.id === 'not_found') {
    const title = hasLink ? t('contact.unsubscribe.old') : t('contact.unsubscribe.title');
    return (
      <>
        <PageTitle title={title} noIndex />
        <EmptyState
          level={1}
          className="py-24"
          mark={<MailX className="size-12" />}
          title={title}
          text={hasLink ? t('contact.unsubscribe.oldText') : t('contact.unsubscribe.noLink')}
          actions={<Button href="/drive/account/notifications">{t('contact.unsubscribe.settings')}</Button>}
        />
      </>
    );
  }
  const { email, scene, d, subscribed } = about;
  const mails = t(`contact.unsubscribe.scene.${scene}`);
  return (
    <>
      <PageTitle title={t('contact.unsubscribe.title')} noIndex />
      <EmptyState
        level={1}
        className="py-24"
        mark={<BellOff className="size-12" />}
        title={subscribed ? t('contact.unsubscribe.ask') : t('contact.unsubscribe.done')}
        text={
          <span role="status" className="[overflow-wrap:anywhere]">
            {subscribed
              ? t('contact.unsubscribe.askText', { mails, email })
              : t('contact.unsubscribe.doneText', { mails, email })}
          </span>
        }
        actions={
          subscribed ? (
            <Form
              method="post"
              action={path(`/unsubscribe?d=${encodeURIComponent(d)}`)}
              className="grid justify-items-center gap-4"
            >
              {failure && (
                <FormAlert>
                  {textFor(new ApiFailure(failure.id, { ...failure.facts }, failure.text))}
                </FormAlert>
              )}
              <Button type="submit" variant="primary" size="l" busy={navigation.state !== 'idle'}>
                {t('contact.unsubscribe.button')}
              </Button>
            </Form>
          ) : (
            <Button href="/drive/account/notifications">{t('contact.unsubscribe.settings')}</Button>
          )
        }
      />
    </>
  );
}
