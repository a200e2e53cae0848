import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { FolderSearch } from 'lucide-react';
import { formatSearch, parseSearch, type SearchMark } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { FolderPicker } from '#app/node/folder-picker.tsx';
import { shownName } from '#app/node/name/shown-name.ts';
import { Button } from '#app/ui/button.tsx';
import { MenuItem, MenuSeparator } from '#app/ui/menu/menu.tsx';
import { pathQuery } from '../drive-data.ts';
import { TagChip } from './tag-chip.tsx';
import { FilterChip } from './filter-chip.tsx';
import { changedFilters, sizeText, toggled, type FilterChanges } from './filters.ts';
import { ModifiedChip } from './modified-chip.tsx';
import type { Search } from './search-address.ts';
import { TypeChip } from './type-chip.tsx';

const MB = 1024 ** 2;
const GB = 1024 ** 3;
const SIZES = [
  { maxSize: MB },
  { minSize: 10 * MB },
  { minSize: 100 * MB },
  { minSize: GB },
  { minSize: 10 * GB },
];
const MARKS: readonly SearchMark[] = ['starred', 'shared'];

/** Filters of a search; each writes its text into the search, and shows what was typed there. */
export function FilterChips({
  search,
  onSearch,
  isTrash = false,
}: {
  search: Search;
  onSearch: (search: Search) => void;
  /** In the trash, nothing is starred or shared, and there are no folders to search in. */
  isTrash?: boolean;
}) {
  const t = useT();
  const format = useFormat();
  const query = parseSearch(search.text);
  const { filters } = query;
  const change = (changes: FilterChanges): void =>
    onSearch({ ...search, text: formatSearch({ ...query, filters: changedFilters(filters, changes) }) });
  const isFiltered = search.folder !== '' || Object.keys(filters).length > 0;
  return (
    <div role="group" aria-label={t('search.filters')} className="search-filters">
      <TypeChip types={filters.types} onTypes={(types) => change({ types })} />
      <FilterChip
        name={t('search.size')}
        value={sizeText(t, format, filters)}
        onRemove={() => change({ minSize: undefined, maxSize: undefined })}
      >
        {SIZES.map((size) => (
          <MenuItem
            key={sizeText(t, format, size)}
            isSelected={filters.minSize === size.minSize && filters.maxSize === size.maxSize}
            onAction={() => change({ minSize: undefined, maxSize: undefined, ...size })}
          >
            {sizeText(t, format, size)}
          </MenuItem>
        ))}
      </FilterChip>
      <ModifiedChip filters={filters} onChange={change} />
      {!isTrash && <PlaceChip search={search} onSearch={onSearch} />}
      {filters.in !== undefined && (
        <FilterChip
          name={t('search.place')}
          value={t('search.place.here', { folder: shownName(filters.in) })}
          onRemove={() => change({ in: undefined })}
        />
      )}
      {filters.extensions && (
        <FilterChip
          name={t('search.type')}
          value={filters.extensions.map((extension) => `.${extension}`).join(', ')}
          onRemove={() => change({ extensions: undefined })}
        />
      )}
      <TagChip filters={filters} onChange={(tags) => change({ tags })} />
      {!isTrash &&
        MARKS.map((mark) => (
          <button
            key={mark}
            type="button"
            aria-pressed={filters.is?.includes(mark) ?? false}
            onClick={() => change({ is: toggled(filters.is, mark) })}
            className="search-pill shrink-0"
          >
            {t(`search.${mark}`)}
          </button>
        ))}
      {isFiltered && (
        <Button
          size="s"
          variant="plain"
          className="shrink-0"
          onClick={({ currentTarget }) => {
            currentTarget.parentElement?.querySelector('button')?.focus();
            onSearch({ text: formatSearch({ ...query, filters: {} }), folder: '' });
          }}
        >
          {t('search.filter.clear')}
        </Button>
      )}
    </div>
  );
}

/** Place of a search: the whole drive, or below a folder. */
function PlaceChip({ search, onSearch }: { search: Search; onSearch: (search: Search) => void }) {
  const t = useT();
  const call = useCall();
  const [isChoosing, setChoosing] = useState(false);
  const { data } = useQuery(pathQuery(call, search.folder));
  const name = data?.ancestors.at(-1)?.name;
  const to = (folder: string): void => onSearch({ ...search, folder });
  return (
    <>
      <FilterChip
        name={t('search.place')}
        value={
          search.folder === ''
            ? undefined
            : name === undefined
              ? '…'
              : t('search.place.here', { folder: shownName(name) })
        }
        onRemove={() => to('')}
      >
        <MenuItem isSelected={search.folder === ''} onAction={() => to('')}>
          {t('search.place.all')}
        </MenuItem>
        {name !== undefined && (
          <MenuItem isSelected onAction={() => undefined}>
            {t('search.place.here', { folder: shownName(name) })}
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem icon={<FolderSearch />} onAction={() => setChoosing(true)}>
          {t('search.place.choose')}
        </MenuItem>
      </FilterChip>
      {isChoosing && (
        <FolderPicker
          title={t('search.place.title')}
          confirm={t('search.place.confirm')}
          start={search.folder}
          refused={new Set()}
          canCreate={false}
          onClose={() => setChoosing(false)}
          onPick={({ id }) => {
            setChoosing(false);
            to(id);
          }}
        />
      )}
    </>
  );
}
