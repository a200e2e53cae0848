import { useT } from '#app/i18n/t.ts';
import { TextField } from '#app/ui/form/text-field.tsx';
import { sizeOf, type TypedFilters } from './typed-filters.ts';

const LONGEST = 5000;

/** Fields for words that a title must and must not contain, and for the size. */
export function FilterFields({
  filters,
  onChange,
}: {
  filters: TypedFilters;
  onChange: (filters: TypedFilters) => void;
}) {
  const t = useT();
  const field = (name: keyof TypedFilters) => ({
    value: filters[name],
    autoComplete: 'off',
    spellCheck: false,
    onChange: (event: { currentTarget: HTMLInputElement }) =>
      onChange({ ...filters, [name]: event.currentTarget.value }),
  });
  const wrong = (text: string): string | undefined =>
    sizeOf(text) === undefined ? t('subscription.form.sizeWrong') : undefined;
  return (
    <fieldset className="grid gap-4">
      <legend className="sr-only">{t('subscription.form.filters')}</legend>
      <div className="grid gap-4 md:grid-cols-2">
        <TextField
          label={t('subscription.form.include')}
          hint={t('subscription.form.includeHint')}
          maxLength={LONGEST}
          {...field('include')}
        />
        <TextField label={t('subscription.form.exclude')} maxLength={LONGEST} {...field('exclude')} />
      </div>
      <div className="grid gap-x-4 gap-y-1.5 md:grid-cols-2">
        <div className="grid grid-cols-2 gap-4">
          <TextField
            label={t('subscription.form.min')}
            error={wrong(filters.min)}
            maxLength={20}
            {...field('min')}
          />
          <TextField
            label={t('subscription.form.max')}
            error={wrong(filters.max)}
            maxLength={20}
            {...field('max')}
          />
        </div>
        <p className="self-end text-13 text-ink-3 md:pb-2.5">{t('subscription.form.sizeHint')}</p>
      </div>
    </fieldset>
  );
}
