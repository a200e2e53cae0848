import { useEffect, useRef, useState, type FormEvent } from 'react';
import { driveApi, LIMITS, type Choice, type Conditions, type FileCategory } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { useT } from '#app/i18n/t.ts';
import { including, NOTHING, type Selecting } from '#app/node/index.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Segmented } from '#app/ui/form/segmented.tsx';
import { Select } from '#app/ui/form/select.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';

const KINDS = [
  'folder',
  'image',
  'video',
  'audio',
  'document',
  'sheet',
  'slides',
  'pdf',
  'text',
  'archive',
  'code',
  'book',
] as const satisfies readonly FileCategory[];

const UNITS = { KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3 };
type Unit = keyof typeof UNITS;

interface Wishes {
  readonly name: string;
  readonly kind: 'any' | FileCategory;
  readonly least: string;
  readonly most: string;
  readonly unit: Unit;
  readonly from: string;
  readonly until: string;
}

const NO_WISHES: Wishes = { name: '', kind: 'any', least: '', most: '', unit: 'MB', from: '', until: '' };

/** Returns the start of a day in the reader's time zone, `days` later. */
function startOf(day: string, days = 0): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + days).toISOString();
}

function conditionsOf({ name, kind, least, most, unit, from, until }: Wishes): Conditions {
  const bytes = (amount: string): number => Math.round(Number(amount) * UNITS[unit]);
  return {
    ...(name.trim() === '' ? {} : { name }),
    ...(kind === 'any' ? {} : { categories: [kind] }),
    ...(least === '' ? {} : { min_size: bytes(least) }),
    ...(most === '' ? {} : { max_size: bytes(most) }),
    ...(from === '' ? {} : { modified_from: startOf(from) }),
    ...(until === '' ? {} : { modified_before: startOf(until, 1) }),
  };
}

/** Dialog that selects the items of a folder that meet conditions, including those that are not loaded. */
export default function SelectDialog({
  folderId,
  selecting,
  onClose,
}: {
  folderId: string;
  selecting: Selecting;
  onClose: () => void;
}) {
  const t = useT();
  const call = useCall();
  const errorText = useErrorText();
  const [wishes, setWishes] = useState(NO_WISHES);
  const [how, setHow] = useState<'replace' | 'add'>('replace');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string>();
  const isClosed = useRef(false);
  useEffect(() => {
    isClosed.current = false;
    return () => {
      isClosed.current = true;
    };
  }, []);
  const where = conditionsOf(wishes);
  const isEmpty = Object.keys(where).length === 0;
  const change = (some: Partial<Wishes>): void => {
    setProblem(undefined);
    setWishes({ ...wishes, ...some });
  };

  async function submit(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isEmpty || busy) return;
    setBusy(true);
    try {
      const found: Choice[] = [];
      for (let token = ''; ;) {
        const page = await call(driveApi.select, {
          body: { parent_id: folderId, where, order: 'name_asc', page_token: token },
        });
        if (isClosed.current) return;
        found.push(...page.items);
        token = page.next_page_token;
        if (token === '') break;
      }
      if (found.length === 0) return setProblem(t('drive.select.none'));
      selecting.set(including(how === 'add' ? selecting.selection : NOTHING, found));
      onClose();
    } catch (error) {
      setProblem(errorText(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog
      isOpen
      holdsWork
      size="m"
      onClose={onClose}
      title={t('drive.select.title')}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" type="submit" form="select-by" busy={busy} disabled={isEmpty}>
            {t('drive.select.confirm')}
          </Button>
        </>
      }
    >
      <form id="select-by" className="grid gap-4" onSubmit={(event) => void submit(event)}>
        <TextField
          label={t('drive.select.name')}
          hint={t('drive.select.nameHint')}
          placeholder="*.jpg"
          value={wishes.name}
          maxLength={LIMITS.nameBytes}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => change({ name: event.currentTarget.value })}
        />
        <Select
          label={t('drive.select.kind')}
          value={wishes.kind}
          options={[
            { value: 'any', label: t('drive.select.any') },
            ...KINDS.map((kind) => ({ value: kind, label: t(`node.kind.${kind}`) })),
          ]}
          onChange={(kind) => change({ kind })}
        />
        <div className="grid grid-cols-[1fr_1fr_96px] items-end gap-3">
          <SizeField
            label={t('drive.select.least')}
            value={wishes.least}
            onChange={(least) => change({ least })}
          />
          <SizeField
            label={t('drive.select.most')}
            value={wishes.most}
            onChange={(most) => change({ most })}
          />
          <Select
            label={t('drive.select.unit')}
            hideLabel
            value={wishes.unit}
            options={(Object.keys(UNITS) as Unit[]).map((unit) => ({ value: unit, label: unit }))}
            onChange={(unit) => change({ unit })}
          />
        </div>
        <div className="grid gap-3 sm:grid-cols-2">
          <TextField
            label={t('drive.select.from')}
            type="date"
            value={wishes.from}
            max={wishes.until || undefined}
            onChange={(event) => change({ from: event.currentTarget.value })}
          />
          <TextField
            label={t('drive.select.until')}
            type="date"
            value={wishes.until}
            min={wishes.from || undefined}
            onChange={(event) => change({ until: event.currentTarget.value })}
          />
        </div>
        {selecting.count > 0 && (
          <Segmented
            label={t('drive.select.how')}
            value={how}
            options={[
              { value: 'replace', label: t('drive.select.replace') },
              { value: 'add', label: t('drive.select.add') },
            ]}
            onChange={setHow}
          />
        )}
        <p role="status" className="text-danger empty:hidden">
          {problem}
        </p>
      </form>
    </Dialog>
  );
}

function SizeField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <TextField
      label={label}
      type="number"
      inputMode="decimal"
      min={0}
      step="any"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
