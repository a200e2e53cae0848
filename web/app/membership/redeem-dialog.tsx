import { useRef, useState, type FormEvent } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRevalidator } from 'react-router';
import { codeApi, type ReplyOf } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { randomHex } from '#app/browser/device.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';

type Reply = ReplyOf<typeof codeApi.redeem>;

/** Dialog in which a member redeems an activation code, and sees what it granted. */
export function RedeemDialog({ code, onClose }: { code: string; onClose: () => void }) {
  const [reply, setReply] = useState<Reply>();
  return reply ? (
    <Result reply={reply} onAgain={() => setReply(undefined)} onClose={onClose} />
  ) : (
    <Form code={code} onRedeemed={setReply} onClose={onClose} />
  );
}

const MOST_LETTERS = 200;

function Form({
  code: given,
  onRedeemed,
  onClose,
}: {
  code: string;
  onRedeemed: (reply: Reply) => void;
  onClose: () => void;
}) {
  const t = useT();
  const call = useCall();
  const text = useErrorText();
  const client = useQueryClient();
  const revalidator = useRevalidator();
  const field = useRef<HTMLInputElement>(null);
  const [code, setCode] = useState(given);
  const [isEmpty, setIsEmpty] = useState(false);
  const redeem = useMutation({
    mutationFn: () =>
      call(codeApi.redeem, { body: { activation_code: code } }, { idempotencyKey: randomHex() }),
    onSuccess(reply) {
      // The storage, the plan and what depends on them.
      void client.invalidateQueries();
      void revalidator.revalidate();
      onRedeemed(reply);
    },
    onError: () => field.current?.focus(),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const empty = code.trim() === '';
    setIsEmpty(empty);
    if (empty) field.current?.focus();
    else if (!redeem.isPending) redeem.mutate();
  };
  const error = isEmpty ? t('redeem.empty') : redeem.isError ? text(redeem.error) : undefined;
  return (
    <Dialog
      isOpen
      compact
      holdsWork
      onClose={onClose}
      title={t('redeem.title')}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" type="submit" form="redeem-form" busy={redeem.isPending}>
            {t('redeem.confirm')}
          </Button>
        </>
      }
    >
      <form id="redeem-form" noValidate onSubmit={submit}>
        <TextField
          ref={field}
          label={t('redeem.code')}
          hint={t('redeem.hint')}
          error={error}
          value={code}
          maxLength={MOST_LETTERS}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          enterKeyHint="done"
          onChange={(event) => {
            setCode(event.currentTarget.value);
            setIsEmpty(false);
            redeem.reset();
          }}
        />
      </form>
    </Dialog>
  );
}

function Result({
  reply: { add_days: count, data },
  onAgain,
  onClose,
}: {
  reply: Reply;
  onAgain: () => void;
  onClose: () => void;
}) {
  const t = useT();
  const format = useFormat();
  return (
    <Dialog
      isOpen
      compact
      onClose={onClose}
      title={t('redeem.done')}
      footer={
        <>
          <Button onClick={onAgain}>{t('redeem.another')}</Button>
          <Button variant="primary" onClick={onClose} data-initial-focus>
            {t('ui.close')}
          </Button>
        </>
      }
    >
      <p className="text-20 font-semibold wrap-anywhere">
        {data.kind === 'plan'
          ? t('redeem.plan', { plan: data.name, count })
          : t('redeem.storage', { size: format.bytes(Number(data.size)), count })}
      </p>
      {data.expire !== '' && (
        <p className="mt-1 text-ink-2 tabular-nums">
          {t.rich('redeem.until', { date: <DateTime at={data.expire} as="date" /> })}
        </p>
      )}
    </Dialog>
  );
}
