import type { Color } from '@bowerbird/contract';
import { useT, type T } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';

const colorName = (t: T, color: Color | ''): string =>
  color === '' ? t('drive.color.none') : t(`drive.color.${color}`);

/** Choice of one of the colors of tags and folders. */
export function ColorChoice<Value extends Color | ''>({
  colors,
  name,
  value,
  onChange,
}: {
  /** Colors to choose from; '' is the usual look. */
  colors: readonly Value[];
  name: string;
  value: Value;
  onChange: (color: Value) => void;
}) {
  const t = useT();
  return (
    <fieldset>
      <legend className="mb-1.5 text-13 font-medium">{t('drive.color')}</legend>
      <div className="flex flex-wrap gap-1">
        {colors.map((color) => (
          <label
            key={color}
            data-tip={colorName(t, color)}
            className="relative grid size-9 cursor-pointer place-items-center rounded-full pointer-coarse:size-11 has-checked:outline-2 has-checked:outline-blue has-focus-visible:outline-3 has-focus-visible:outline-blue"
          >
            <input
              type="radio"
              name={name}
              value={color}
              checked={value === color}
              onChange={() => onChange(color)}
              className="absolute inset-0 m-0 cursor-pointer appearance-none rounded-full opacity-0"
              aria-label={colorName(t, color)}
            />
            <i
              aria-hidden="true"
              className={cx(
                'size-6 rounded-full',
                color === ''
                  ? 'border-2 border-line-strong bg-[linear-gradient(to_top_right,transparent_46%,var(--line-strong)_46%_54%,transparent_54%)]'
                  : `tint tint-${color} bg-(--tint)`,
              )}
            />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
