import { useState, type FormEvent } from 'react';
import { Folder, Repeat, Rss } from 'lucide-react';
import { SUBSCRIPTIONS, type Subscription, type SubscriptionKind } from '@bowerbird/contract';
import { useT } from '#app/i18n/t.ts';
import { FolderPicker } from '#app/node/folder-picker.tsx';
import { SeePlans } from '#app/page/see-plans.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Segmented } from '#app/ui/form/segmented.tsx';
import { Select } from '#app/ui/form/select.tsx';
import { Switch } from '#app/ui/form/switch.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';
import { FeedPreview } from './feed-preview.tsx';
import { FilterFields } from './filter-fields.tsx';
import { INTERVALS, intervalText } from './interval.ts';
import { filtersOf } from './typed-filters.ts';
import { draftOf, useSaving, type Draft } from './use-saving.ts';
import { useSettled } from '#app/ui/form/use-settled.ts';

const FORM = 'subscription-form';
const REST_MS = 600;
const NONE: ReadonlySet<string> = new Set();

/** Form that adds or changes a subscription; meanwhile it shows the feed's items and which of them match. */
export function SubscriptionForm({
  subscription,
  onClose,
}: {
  subscription?: Subscription;
  onClose: () => void;
}) {
  const t = useT();
  const [draft, setDraft] = useState<Draft>(() => draftOf(subscription, t.locale));
  const { save, isSaving, urlError, message, errorId } = useSaving(subscription, onClose);
  const set = (change: Partial<Draft>): void => setDraft({ ...draft, ...change });
  const { kind, url, everyMinutes } = draft;
  const isFeed = kind === 'feed';
  const filters = filtersOf(draft.filters);
  const looked = useSettled(url.trim(), REST_MS);

  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (url.trim() !== '' && filters) save(draft, filters);
  };

  return (
    <Dialog
      isOpen
      size="l"
      isDismissable={!isSaving}
      holdsWork={url.trim() !== ''}
      onClose={onClose}
      title={subscription ? t('subscription.form.editTitle') : t('subscription.form.addTitle')}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button
            type="submit"
            form={FORM}
            variant="primary"
            busy={isSaving}
            disabled={url.trim() === '' || !filters}
          >
            {subscription ? t('subscription.form.save') : t('subscription.add')}
          </Button>
        </>
      }
    >
      <form id={FORM} onSubmit={submit} className="grid gap-4">
        {!subscription && (
          <Segmented<SubscriptionKind>
            label={t('subscription.form.kind')}
            value={kind}
            onChange={(next) => set({ kind: next, takeExisting: next === 'link' })}
            options={[
              { value: 'feed', label: t('subscription.kind.feed'), icon: <Rss aria-hidden="true" /> },
              { value: 'link', label: t('subscription.kind.link'), icon: <Repeat aria-hidden="true" /> },
            ]}
            className="w-fit max-md:w-full max-md:[&_span]:h-10!"
          />
        )}
        <TextField
          label={isFeed ? t('subscription.form.feedUrl') : t('subscription.form.linkUrl')}
          hint={isFeed ? undefined : t('subscription.form.linkHint')}
          error={urlError}
          value={url}
          inputMode="url"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={SUBSCRIPTIONS.urlMax}
          placeholder="https://"
          onChange={(event) => set({ url: event.currentTarget.value })}
        />
        {isFeed && <FilterFields filters={draft.filters} onChange={(next) => set({ filters: next })} />}
        {isFeed && <FeedPreview url={looked} filters={filters} />}
        <div className="grid gap-4 md:grid-cols-2">
          <TextField
            label={t('subscription.form.name')}
            hint={isFeed ? t('subscription.form.nameHint') : t('subscription.form.nameHintLink')}
            value={draft.name}
            autoComplete="off"
            maxLength={SUBSCRIPTIONS.nameMax}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <Select
            label={t('subscription.form.every')}
            value={String(everyMinutes)}
            onChange={(minutes) => set({ everyMinutes: Number(minutes) })}
            options={[...new Set([...INTERVALS, everyMinutes])]
              .toSorted((a, b) => a - b)
              .map((minutes) => ({ value: String(minutes), label: intervalText(t, minutes) }))}
          />
        </div>
        <TargetRow draft={draft} onChange={set} />
        <Switch
          isSelected={draft.takeExisting}
          onChange={(takeExisting) => set({ takeExisting })}
          hint={
            isFeed ? t('subscription.form.takeExistingHint') : t('subscription.form.takeExistingLinkHint')
          }
          className="min-h-11"
        >
          {t('subscription.form.takeExisting')}
        </Switch>
        {message !== '' && (
          <p role="alert" className="text-13 text-danger">
            {message}
            <SeePlans error={errorId} className="ms-1.5" />
          </p>
        )}
      </form>
    </Dialog>
  );
}

/** Target folder. */
function TargetRow({ draft, onChange }: { draft: Draft; onChange: (change: Partial<Draft>) => void }) {
  const t = useT();
  const [picks, setPicks] = useState(false);
  const { target } = draft;
  const name = target === undefined ? t('offline.add.ownFolder') : target.name || t('drive.files');
  return (
    <div className="flex min-h-11 items-center gap-3 rounded-card border border-line py-1.5 pr-1.5 pl-3">
      <Folder className="shrink-0 text-ink-3" aria-hidden="true" />
      <span className="min-w-0 flex-1 truncate">
        <span className="text-ink-2">{t('offline.add.saveTo')}</span> <b className="font-semibold">{name}</b>
      </span>
      <Button size="s" variant="plain" className="max-md:h-11" onClick={() => setPicks(true)}>
        {t('offline.add.changeFolder')}
      </Button>
      {picks && (
        <FolderPicker
          title={t('subscription.form.pickTitle')}
          confirm={t('offline.add.pickHere')}
          start={target?.id ?? ''}
          refused={NONE}
          onClose={() => setPicks(false)}
          onPick={(folder) => {
            onChange({ target: folder });
            setPicks(false);
          }}
        />
      )}
    </div>
  );
}
