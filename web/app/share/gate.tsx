import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { Form, useNavigation, useSubmit } from 'react-router';
import { ApiFailure, LIMITS, waitWords, type ErrorId, type ShareStatus } from '@bowerbird/contract';
import { useErrorText } from '#app/api/error-text.ts';
import { isCaptchaRefusal } from '#app/api/http-client.ts';
import { useT } from '#app/i18n/t.ts';
import { Avatar } from '#app/ui/avatar.tsx';
import { Button } from '#app/ui/button.tsx';
import { useFieldCheck } from '#app/ui/form/use-field-check.ts';
import type { Opening } from './share-data.ts';

export interface GateRefusal {
  readonly status: ShareStatus | undefined;
  readonly failure:
    | {
        readonly id: ErrorId;
        readonly facts: Readonly<Record<string, string>>;
        readonly text: string | undefined;
      }
    | undefined;
}

/** Asks for the passcode; reveals nothing about the share except its owner's masked name. */
export function Gate({
  opening,
  typed,
  refusal,
  isFromLink,
}: {
  opening: Opening;
  typed: string;
  refusal: GateRefusal | undefined;
  /** True if the refusal is for the passcode in the link, and the visitor has typed none. */
  isFromLink: boolean;
}) {
  const t = useT();
  const textOf = useErrorText();
  const busy = useNavigation().state !== 'idle';
  // Preloads the next page while the visitor types.
  useEffect(() => void import('./share-files.tsx'), []);
  const failure = refusal?.failure;
  const seconds = Number(failure?.facts['retry_in'] ?? 0);
  const needsCheck = failure !== undefined && isCaptchaRefusal(failure.id);
  const form = useRef<HTMLFormElement>(null);
  const { problem, checks } = useFieldCheck();
  const [isTyped, setTyped] = useState(!isFromLink);
  const [opened, setOpened] = useState(0);
  const mayOpen = !isTyped && opened < OPENS_AT_MOST && (isFromLink || needsCheck || seconds > 0);
  const isOpening = useOpening({
    form,
    refusal,
    seconds: mayOpen && typed !== '' && failure !== undefined ? (needsCheck ? 0 : seconds) : undefined,
    onOpening: () => setOpened(opened + 1),
  });
  const waits =
    seconds > 0 ? t('share.gate.network', { when: waitWords(t.locale, seconds) }) : t('error.too_frequent');
  const opensItself = needsCheck && mayOpen;
  const refused = failure
    ? opensItself
      ? undefined
      : needsCheck
        ? waits
        : textOf(new ApiFailure(failure.id, { ...failure.facts }, failure.text))
    : refusal?.status !== undefined || opening.share_status === 'PASS_CODE_ERROR'
      ? t('share.gate.wrong')
      : undefined;
  const error = problem ?? refused;
  return (
    <div className="grid flex-1 place-items-center bg-sunken px-4 py-10">
      <Form
        ref={form}
        method="post"
        replace
        preventScrollReset
        className="w-full max-w-100 rounded-dialog border border-line bg-card px-8 py-9 text-center shadow-float max-md:px-6"
      >
        <Avatar
          name={opening.user_info.nickname}
          picture={opening.user_info.avatar}
          size={64}
          className="mx-auto mb-4"
        />
        <h1 className="text-20 font-semibold [overflow-wrap:anywhere]">
          {opening.user_info.nickname === ''
            ? t('share.gate.titleNoName')
            : t('share.gate.title', { name: opening.user_info.nickname })}
        </h1>
        <p className="mt-1.5 mb-6 text-ink-2">{t('share.gate.text')}</p>
        <input
          {...checks}
          onChange={() => setTyped(true)}
          name="s_code"
          defaultValue={typed}
          aria-label={t('share.gate.passcode')}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={error === undefined ? undefined : 'gate-error'}
          // The page asks for nothing else.
          // eslint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          required
          maxLength={LIMITS.passcodeMax}
          autoComplete="off"
          autoCapitalize="off"
          autoCorrect="off"
          spellCheck={false}
          className="field h-13! text-center font-mono text-20! tracking-[0.3em]"
        />
        {opensItself && (
          <>
            <p role="status" className="mt-3 text-13 text-ink-2">
              {isOpening && t('share.gate.moment')}
            </p>
            <p className="mt-3 hidden text-13 text-danger noscript:block">{waits}</p>
            {seconds > 0 && (
              <noscript>
                <meta httpEquiv="refresh" content={String(seconds)} />
              </noscript>
            )}
          </>
        )}
        {error !== undefined && (
          <p id="gate-error" role="alert" className="mt-3 text-13 text-danger">
            {error}
          </p>
        )}
        <Button type="submit" variant="primary" size="l" busy={busy} className="mt-3 h-12! w-full">
          {t('share.gate.open')}
        </Button>
      </Form>
    </div>
  );
}

/**
 * Limit of automatic attempts. One may not be enough: the check can finish before the wait for earlier wrong
 * attempts ends.
 */
const OPENS_AT_MOST = 3;

/**
 * Submits the passcode of a link automatically: at once if only the captcha check is missing, otherwise after
 * the wait.
 */
function useOpening({
  form,
  refusal,
  seconds,
  onOpening,
}: {
  form: RefObject<HTMLFormElement | null>;
  /** Each refusal causes at most one attempt. */
  refusal: GateRefusal | undefined;
  seconds: number | undefined;
  onOpening: () => void;
}): boolean {
  const submit = useSubmit();
  // Nothing opens automatically without scripts, so the promise must not be shown before they run.
  const [isOpening, setOpening] = useState(false);
  const answered = useRef<GateRefusal>(undefined);
  const open = useEffectEvent(() => {
    if (!form.current || answered.current === refusal) return;
    answered.current = refusal;
    onOpening();
    void submit(form.current, { replace: true, preventScrollReset: true });
  });
  useEffect(() => {
    setOpening(seconds !== undefined);
    if (seconds === undefined) return undefined;
    const timer = setTimeout(() => open(), seconds * 1000);
    return () => clearTimeout(timer);
  }, [refusal, seconds]);
  return isOpening;
}
