import { useEffect, useRef } from 'react';
import { CircleCheck } from 'lucide-react';
import { data, Form, useNavigation, useSearchParams } from 'react-router';
import {
  ApiFailure,
  CONTACT_LIMITS,
  CONTACT_TOPICS,
  contactApi,
  isApiFailure,
  type ContactTopic,
  type ErrorId,
} from '@bowerbird/contract';
import { useErrorText } from '#app/api/error-text.ts';
import { count } from '#app/statistics/happenings.ts';
import { textOf } from '#app/browser/form-text.ts';
import { pageServices } from '#app/api/page-services.ts';
import { useViewer } from '#app/api/viewer.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { usePageFrame } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { PublicHead } from '#app/page/public-head.tsx';
import { Select } from '#app/ui/form/select.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';
import type { Route } from './+types/contact-us';
import { ownLink } from './own-link.ts';

export const handle = { layout: 'basic' };

interface Typed {
  readonly topic: ContactTopic;
  readonly email: string;
  readonly message: string;
  readonly link: string;
}

interface Result {
  readonly isSent: boolean;
  readonly typed?: Typed;
  readonly failure?: {
    readonly id: ErrorId;
    readonly facts: Readonly<Record<string, string>>;
    readonly text: string | undefined;
  };
}

export function loader({ context }: Route.LoaderArgs) {
  const { name, contact } = context.get(pageServices).operator;
  return { operator: name, address: contact };
}

const topicOf = (text: string): ContactTopic => CONTACT_TOPICS.find((one) => one === text) ?? 'question';

export async function action({ request, context }: Route.ActionArgs) {
  const form = await request.formData();
  const typed: Typed = {
    topic: topicOf(textOf(form, 'topic')),
    email: textOf(form, 'email'),
    // Forms end lines with CR LF, which must count as one character.
    message: textOf(form, 'message').replaceAll('\r\n', '\n'),
    link: textOf(form, 'link'),
  };
  try {
    await context
      .get(pageServices)
      .call(contactApi.send, { body: { ...typed, website: textOf(form, 'website') } });
    return data<Result>({ isSent: true });
  } catch (error) {
    if (!isApiFailure(error)) throw error;
    const { id, facts, text, status } = error;
    return data<Result>({ isSent: false, typed, failure: { id, facts, text } }, { status });
  }
}

/** Contact form for the operator; it works without scripts. */
export default function ContactUs({ loaderData: { operator, address }, actionData }: Route.ComponentProps) {
  const t = useT();
  return (
    <>
      <PublicHead path="/contact-us" title={t('contact.title')} description={t('contact.lead')} />
      {actionData?.isSent ? (
        <Sent />
      ) : (
        <section className="mx-auto max-w-160 px-8 pt-12 pb-24 max-lg:px-5 max-md:pt-6 max-md:pb-14">
          <h1 className="text-40 font-[680] [overflow-wrap:anywhere] hyphens-auto">{t('contact.title')}</h1>
          <p className="mt-4 text-16 text-ink-2">{t('contact.leadNamed', { operator })}</p>
          <ContactForm result={actionData} />
          {address !== '' && (
            <p className="mt-8 border-t border-line pt-6 text-ink-2">
              {t.rich('contact.orMail', {
                address: (
                  <a href={`mailto:${address}`} className="text-blue-strong underline underline-offset-3">
                    {address}
                  </a>
                ),
              })}
            </p>
          )}
        </section>
      )}
    </>
  );
}

function ContactForm({ result }: { result: Result | undefined }) {
  const t = useT();
  const path = useLocalePath();
  const viewer = useViewer();
  const textFor = useErrorText();
  const navigation = useNavigation();
  const { origin } = usePageFrame();
  const [query] = useSearchParams();
  const asksForFeedback = query.get('topic') === 'feedback';
  useEffect(() => {
    if (asksForFeedback) count('review_panel', 'feedback');
  }, [asksForFeedback]);
  const { failure, typed } = result ?? {};
  const field = failure?.id === 'invalid_argument' ? (failure.facts['field'] ?? '') : '';
  const isAtField = field === 'email' || field === 'message' || field === 'link';
  return (
    <Form
      method="post"
      action={path('/contact-us')}
      // Errors are shown in the reader's language and input is kept, even without scripts.
      noValidate
      className="mt-8 grid gap-5"
    >
      {failure && !isAtField && (
        <p role="alert" className="rounded-control bg-danger-wash px-3 py-2.5 text-13 text-danger">
          {textFor(new ApiFailure(failure.id, failure.facts, failure.text))}
        </p>
      )}
      <Select
        label={t('contact.topic')}
        name="topic"
        defaultValue={typed?.topic ?? topicOf(query.get('topic') ?? '')}
        options={CONTACT_TOPICS.map((topic) => ({ value: topic, label: t(`contact.topic.${topic}`) }))}
      />
      <TextField
        label={t('contact.email')}
        hint={viewer?.email ? t('contact.emailMember', { email: viewer.email }) : t('contact.emailHint')}
        name="email"
        type="email"
        autoComplete="email"
        required={!viewer?.email}
        maxLength={CONTACT_LIMITS.emailMax}
        defaultValue={typed?.email ?? ''}
        error={field === 'email' ? t('contact.wrong.email') : undefined}
      />
      <MessageField
        typed={typed?.message ?? ''}
        error={
          field === 'message' ? t('contact.wrong.message', { count: CONTACT_LIMITS.messageMin }) : undefined
        }
      />
      <TextField
        label={t('contact.link')}
        hint={t('contact.linkHint')}
        name="link"
        type="url"
        inputMode="url"
        autoComplete="off"
        maxLength={CONTACT_LIMITS.linkMax}
        defaultValue={typed?.link ?? ownLink(query.get('link'), origin)}
        error={field === 'link' ? t('contact.wrong.link') : undefined}
      />
      <div aria-hidden="true" className="absolute -left-[9999px] size-px overflow-hidden">
        <label>
          {t('contact.leaveEmpty')}
          <input name="website" tabIndex={-1} autoComplete="off" />
        </label>
      </div>
      <Button
        type="submit"
        variant="primary"
        size="l"
        busy={navigation.state !== 'idle' && navigation.formMethod === 'POST'}
        className="justify-self-start max-sm:w-full"
      >
        {t('contact.send')}
      </Button>
    </Form>
  );
}

function MessageField({ typed, error }: { typed: string; error: string | undefined }) {
  const t = useT();
  return (
    <div className="grid content-start gap-1.5">
      <label htmlFor="contact-message" className="text-13 font-medium">
        {t('contact.message')}
      </label>
      <textarea
        id="contact-message"
        name="message"
        rows={7}
        required
        maxLength={CONTACT_LIMITS.messageMax}
        defaultValue={typed}
        aria-invalid={error !== undefined || undefined}
        aria-describedby={error === undefined ? undefined : 'contact-message-error'}
        className="field h-auto! resize-y py-2.5"
      />
      {error !== undefined && (
        <p id="contact-message-error" className="text-13 text-danger">
          {error}
        </p>
      )}
    </div>
  );
}

function Sent() {
  const t = useT();
  const title = useRef<HTMLSpanElement>(null);
  useEffect(() => title.current?.focus(), []);
  return (
    <EmptyState
      level={1}
      className="py-24"
      mark={<CircleCheck className="size-12 text-success" />}
      title={
        <span ref={title} tabIndex={-1} className="outline-none">
          {t('contact.sent')}
        </span>
      }
      text={t('contact.sentText')}
      actions={
        <>
          <Button variant="primary" href="/">
            {t('site.notFound.home')}
          </Button>
          <Button href="/contact-us">{t('contact.another')}</Button>
        </>
      }
    />
  );
}
