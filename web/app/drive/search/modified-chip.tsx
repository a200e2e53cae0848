import { useState } from 'react';
import { CalendarRange } from 'lucide-react';
import type { SearchFilters } from '@bowerbird/contract';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';
import { MenuItem, MenuSeparator } from '#app/ui/menu/menu.tsx';
import { FilterChip } from './filter-chip.tsx';
import { dayAfter, daysOf, modifiedText, type FilterChanges } from './filters.ts';

const PERIODS = ['today', 'week', 'month', 'year'];

/** Filter for dates: a period that ends today, or any days. */
export function ModifiedChip({
  filters,
  onChange,
}: {
  filters: SearchFilters;
  onChange: (changes: FilterChanges) => void;
}) {
  const t = useT();
  const format = useFormat();
  const [isChoosing, setChoosing] = useState(false);
  const isDated = filters.after !== undefined || filters.before !== undefined;
  return (
    <>
      <FilterChip
        name={t('search.modified')}
        value={modifiedText(t, format, filters)}
        onRemove={() => onChange({ modified: undefined, after: undefined, before: undefined })}
      >
        {PERIODS.map((modified) => (
          <MenuItem
            key={modified}
            isSelected={daysOf(filters.modified ?? '') === daysOf(modified)}
            onAction={() => onChange({ modified, after: undefined, before: undefined })}
          >
            {modifiedText(t, format, { modified })}
          </MenuItem>
        ))}
        <MenuSeparator />
        <MenuItem icon={<CalendarRange />} isSelected={isDated} onAction={() => setChoosing(true)}>
          {t('search.modified.choose')}
        </MenuItem>
      </FilterChip>
      {isChoosing && (
        <DatesDialog
          filters={filters}
          onClose={() => setChoosing(false)}
          onChoose={(days) => {
            setChoosing(false);
            onChange({ modified: undefined, ...days });
          }}
        />
      )}
    </>
  );
}

/** Asks for the first and the last day; either may be left empty. */
function DatesDialog({
  filters: { after, before },
  onChoose,
  onClose,
}: {
  filters: SearchFilters;
  onChoose: (days: { after: string | undefined; before: string | undefined }) => void;
  onClose: () => void;
}) {
  const t = useT();
  const [from, setFrom] = useState(after ?? '');
  const [until, setUntil] = useState(before === undefined ? '' : dayAfter(before, -1));
  return (
    <Dialog
      isOpen
      compact
      onClose={onClose}
      title={t('search.modified.choose')}
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button variant="primary" type="submit" form="dates-form">
            {t('search.modified.apply')}
          </Button>
        </>
      }
    >
      <form
        id="dates-form"
        className="grid gap-3 sm:grid-cols-2 sm:items-end"
        onSubmit={(event) => {
          event.preventDefault();
          onChoose({
            after: from === '' ? undefined : from,
            before: until === '' ? undefined : dayAfter(until, 1),
          });
        }}
      >
        <TextField
          label={t('drive.select.from')}
          type="date"
          value={from}
          max={until || undefined}
          onChange={(event) => setFrom(event.currentTarget.value)}
        />
        <TextField
          label={t('drive.select.until')}
          type="date"
          value={until}
          min={from || undefined}
          onChange={(event) => setUntil(event.currentTarget.value)}
        />
      </form>
    </Dialog>
  );
}
