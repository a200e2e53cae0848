import { useState, type FormEvent } from 'react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { isApiFailure, LIMITS, shareApi, type OwnShare } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { randomHex } from '#app/browser/device.ts';
import { useT } from '#app/i18n/t.ts';
import { SeePlans } from '#app/page/see-plans.tsx';
import { Button } from '#app/ui/button.tsx';
import { cx } from '#app/ui/class-names.ts';
import { Dialog } from '#app/ui/dialog.tsx';
import { Select } from '#app/ui/form/select.tsx';
import { Switch } from '#app/ui/form/switch.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';
import { Tabs } from '#app/ui/tabs.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import { PeoplePanel } from './people/index.ts';
import { OWN_SHARES } from './own-shares-query.ts';
import { ShareLink, type Made } from './share-link.tsx';
import { Subject, titleOf, type ShareSubject } from './share-subject.tsx';

const DAYS = ['1', '7', '14', '30', '-1'] as const;
const REMEMBERED = 'pp_share_defaults';
const PASSCODE = new RegExp(`^[A-Za-z0-9]{${LIMITS.passcodeMin},${LIMITS.passcodeMax}}$`);

interface Choices {
  title: string;
  needsPasscode: boolean;
  passcode: string;
  days: string;
  limit: string;
}

function remembered(): Pick<Choices, 'needsPasscode' | 'days'> {
  try {
    const kept = JSON.parse(localStorage.getItem(REMEMBERED) ?? '{}') as Partial<Choices>;
    return {
      needsPasscode: kept.needsPasscode ?? true,
      days: DAYS.find((days) => days === kept.days) ?? '7',
    };
  } catch {
    return { needsPasscode: true, days: '7' };
  }
}

function remember({ needsPasscode, days }: Choices): void {
  try {
    localStorage.setItem(REMEMBERED, JSON.stringify({ needsPasscode, days }));
  } catch {
    // Without storage, the next share starts with the default again.
  }
}

/**
 * Returns the body of the call that restores the settings of a share; its expiration is in whole days from
 * now.
 */
function settingsOf(share: OwnShare, withExpiry: boolean) {
  const days =
    share.expiration_at === '-1'
      ? '-1'
      : String(Math.max(1, Math.ceil(Number(share.expiration_left_seconds) / 86_400)));
  return {
    share_id: share.share_id,
    title: share.title,
    pass_code_option: share.pass_code === '' ? ('NOT_REQUIRED' as const) : ('REQUIRED' as const),
    ...(share.pass_code === '' ? {} : { custom_pass_code: share.pass_code }),
    restore_limit: share.restore_limit,
    ...(withExpiry ? { expiration_days: days } : {}),
  };
}

/** Creates a share of the selection, or changes one; then shows its link with all options for passing it on. */
export function ShareDialog({ subject, onClose }: { subject: ShareSubject; onClose: () => void }) {
  const t = useT();
  const [made, setMade] = useState<Made>();
  return made ? (
    <ShareLink made={made} onClose={onClose} />
  ) : (
    <Form
      subject={subject}
      onClose={onClose}
      onMade={setMade}
      title={'share' in subject ? t('drive.share.editTitle') : t('drive.share.title')}
    />
  );
}

function Form({
  subject,
  title,
  onClose,
  onMade,
}: {
  subject: ShareSubject;
  title: string;
  onClose: () => void;
  onMade: (made: Made) => void;
}) {
  const t = useT();
  const call = useCall();
  const client = useQueryClient();
  const text = useErrorText();
  const [choices, setChoices] = useState<Choices>(() =>
    'share' in subject
      ? {
          title: subject.share.title,
          needsPasscode: subject.share.pass_code !== '',
          passcode: subject.share.pass_code,
          days: 'keep',
          limit: subject.share.restore_limit === '-1' ? '' : subject.share.restore_limit,
        }
      : { title: titleOf(subject, t), passcode: '', limit: '', ...remembered() },
  );
  const [tab, setTab] = useState<'link' | 'people'>('link');
  const [problem, setProblem] = useState<string>();
  // People have access to one item each, while a link may lead to many.
  const [onlyId, ...otherIds] = 'ids' in subject ? subject.ids : [];
  const isForPeople = onlyId !== undefined && otherIds.length === 0;
  const set = (part: Partial<Choices>): void => setChoices({ ...choices, ...part });

  const save = useMutation({
    async mutationFn(): Promise<Made> {
      const body = {
        title: choices.title,
        pass_code_option: choices.needsPasscode ? ('REQUIRED' as const) : ('NOT_REQUIRED' as const),
        ...(choices.needsPasscode && choices.passcode !== '' ? { custom_pass_code: choices.passcode } : {}),
        ...(choices.days === 'keep' ? {} : { expiration_days: choices.days }),
        restore_limit: choices.limit === '' ? '-1' : choices.limit,
      };
      if ('share' in subject) {
        const share = await call(
          shareApi.edit,
          { body: { share_id: subject.share.share_id, ...body } },
          { idempotencyKey: randomHex() },
        );
        return { url: share.share_url, passcode: share.pass_code };
      }
      const share = await call(
        shareApi.create,
        {
          body: {
            file_ids: [...subject.ids],
            share_to: choices.needsPasscode ? 'encryptedlink' : 'publiclink',
            ...body,
          },
        },
        { idempotencyKey: randomHex() },
      );
      return { url: share.share_url, passcode: share.pass_code };
    },
    onSuccess(made) {
      void client.invalidateQueries({ queryKey: OWN_SHARES });
      if ('share' in subject) {
        onClose();
        toast.show({
          text: t('drive.share.changed', { title: choices.title }),
          undo: { label: t('drive.undo'), run: () => void takeBack(subject.share) },
        });
      } else {
        remember(choices);
        onMade(made);
      }
    },
  });
  const takeBack = (share: OwnShare): Promise<void> =>
    call(shareApi.edit, { body: settingsOf(share, choices.days !== 'keep') }, { idempotencyKey: randomHex() })
      .then(() => client.invalidateQueries({ queryKey: OWN_SHARES }))
      .catch((error: unknown) => void toast.show({ text: text(error), tone: 'danger' }));

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const isWrong = choices.needsPasscode && choices.passcode !== '' && !PASSCODE.test(choices.passcode);
    setProblem(
      isWrong
        ? t('drive.share.passcodeRule', { min: LIMITS.passcodeMin, max: LIMITS.passcodeMax })
        : undefined,
    );
    if (!isWrong) save.mutate();
  };
  const dayWords = (days: string): string =>
    days === '-1' ? t('drive.share.never') : t('drive.share.days', { count: Number(days) });

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      footer={
        tab === 'people' ? (
          <Button onClick={onClose}>{t('drive.share.done')}</Button>
        ) : (
          <>
            <Button onClick={onClose}>{t('ui.cancel')}</Button>
            <Button variant="primary" type="submit" form="share-form" busy={save.isPending}>
              {'share' in subject ? t('drive.share.save') : t('drive.share.create')}
            </Button>
          </>
        )
      }
    >
      {'ids' in subject && <Subject {...subject} />}
      {isForPeople && (
        <Tabs
          label={t('drive.share.title')}
          className="mt-3"
          tabs={[
            { id: 'link', label: t('people.link') },
            { id: 'people', label: t('people.people') },
          ]}
          selected={tab}
          onSelect={setTab}
        />
      )}
      {tab === 'people' && onlyId !== undefined && (
        <div className="mt-5">
          <PeoplePanel fileId={onlyId} />
        </div>
      )}
      <form
        id="share-form"
        onSubmit={submit}
        hidden={tab === 'people'}
        className={cx('grid gap-5', 'ids' in subject && 'mt-5', tab === 'people' && 'hidden')}
      >
        <TextField
          label={t('drive.share.name')}
          value={choices.title}
          maxLength={LIMITS.shareTitleMax}
          onChange={(event) => set({ title: event.currentTarget.value })}
          autoComplete="off"
        />
        <div className="grid gap-3">
          <Switch
            isSelected={choices.needsPasscode}
            onChange={(needsPasscode) => set({ needsPasscode })}
            hint={t('drive.share.passcodeHint')}
          >
            {t('drive.share.passcode')}
          </Switch>
          {choices.needsPasscode && (
            <TextField
              label={t('drive.share.ownPasscode')}
              placeholder={t('drive.share.random')}
              value={choices.passcode}
              error={problem}
              maxLength={LIMITS.passcodeMax}
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              onChange={(event) => set({ passcode: event.currentTarget.value.trim() })}
            />
          )}
        </div>
        <div className="grid grid-cols-2 gap-4 max-md:grid-cols-1">
          <Select
            label={t('drive.share.expires')}
            value={choices.days}
            onChange={(days) => set({ days })}
            options={[
              ...('share' in subject ? [{ value: 'keep', label: t('drive.share.keepExpiry') }] : []),
              ...DAYS.map((value) => ({ value: value as string, label: dayWords(value) })),
            ]}
          />
          <TextField
            label={t('drive.share.limit')}
            placeholder={t('drive.share.noLimit')}
            inputMode="numeric"
            value={choices.limit}
            onChange={(event) =>
              set({ limit: event.currentTarget.value.replace(/\D/g, '').replace(/^0+/, '').slice(0, 6) })
            }
            autoComplete="off"
          />
        </div>
        {save.isError && (
          <p role="alert" className="text-danger">
            {text(save.error)}
            {isApiFailure(save.error) && <SeePlans error={save.error.id} className="ms-1.5" />}
          </p>
        )}
      </form>
    </Dialog>
  );
}
