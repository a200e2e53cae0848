import { useEffect } from 'react';
import { Form, useNavigation } from 'react-router';
import { ApiFailure, LIMITS, type ErrorId, type ShareStatus } from '@bowerbird/contract';
import { useErrorText } from '#app/api/error-text.ts';
import { useT } from '#app/i18n/t.ts';
import { Avatar } from '#app/ui/avatar.tsx';
import { Button } from '#app/ui/button.tsx';
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

/** Asks for the passcode; tells nothing of what is behind it but who shared it, masked. */
export function Gate({
  opening,
  typed,
  refusal,
}: {
  opening: Opening;
  typed: string;
  refusal: GateRefusal | undefined;
}) {
  const t = useT();
  const textOf = useErrorText();
  const busy = useNavigation().state !== 'idle';
  // While the passcode is being typed, what comes behind it is fetched.
  useEffect(() => void import('./share-files.tsx'), []);
  const failure = refusal?.failure;
  const error = failure
    ? textOf(new ApiFailure(failure.id, { ...failure.facts }, failure.text))
    : refusal?.status !== undefined || opening.share_status === 'PASS_CODE_ERROR'
      ? t('share.gate.wrong')
      : undefined;
  return (
    <div className="grid flex-1 place-items-center bg-sunken px-4 py-10">
      <Form
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
