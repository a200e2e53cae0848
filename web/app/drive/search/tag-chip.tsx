import type { SearchFilters } from '@bowerbird/contract';
import { useT } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { MenuItem } from '#app/ui/menu/menu.tsx';
import { FilterChip } from './filter-chip.tsx';
import { toggled } from './filters.ts';
import { useTags } from '../tag/tag-data.ts';
import { TagDot } from '../tag/tag-dot.tsx';

/** Filter of a search by the member's tags; absent as long as there are none. */
export function TagChip({
  filters,
  onChange,
}: {
  filters: SearchFilters;
  onChange: (tags: string[] | undefined) => void;
}) {
  const t = useT();
  const tags = useTags();
  const chosen = filters.tags ?? [];
  if (tags.length === 0 && chosen.length === 0) return null;
  return (
    <FilterChip
      name={t('drive.tag.tags')}
      value={chosen.length === 0 ? undefined : chosen.map((name) => shownName(name)).join(', ')}
      onRemove={() => onChange(undefined)}
    >
      {tags.map(({ id, name, color }) => (
        <MenuItem
          key={id}
          multiple
          icon={<TagDot color={color} />}
          isSelected={chosen.some((one) => one.toLowerCase() === name.toLowerCase())}
          onAction={() =>
            onChange(toggled(chosen, chosen.find((one) => one.toLowerCase() === name.toLowerCase()) ?? name))
          }
        >
          <bdi>{shownName(name)}</bdi>
        </MenuItem>
      ))}
    </FilterChip>
  );
}
