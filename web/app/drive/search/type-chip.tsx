import { FILE_CATEGORIES, type FileCategory } from '@bowerbird/contract';
import { useT } from '#app/i18n/t.ts';
import { KindIcon } from '#app/ui/kind-icon.tsx';
import { MenuItem } from '#app/ui/menu/menu.tsx';
import { FilterChip } from './filter-chip.tsx';
import { kindName, toggled, typesText } from './filters.ts';

/** Filter for kinds of files, several at once; undefined for all of them. */
export function TypeChip({
  types,
  onTypes,
}: {
  types: readonly FileCategory[] | undefined;
  onTypes: (types: FileCategory[] | undefined) => void;
}) {
  const t = useT();
  return (
    <FilterChip
      name={t('search.type')}
      value={typesText(t, types ? { types: [...types] } : {})}
      onRemove={() => onTypes(undefined)}
    >
      {FILE_CATEGORIES.map((category) => (
        <MenuItem
          key={category}
          multiple
          icon={
            <span className={`kind kind-${category} bg-transparent!`}>
              <KindIcon category={category} />
            </span>
          }
          isSelected={types?.includes(category) ?? false}
          onAction={() => onTypes(toggled(types, category))}
        >
          {kindName(t, category)}
        </MenuItem>
      ))}
    </FilterChip>
  );
}
