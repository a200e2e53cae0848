import { ListFilter } from 'lucide-react';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Menu, MenuItem, MenuSection, MenuSeparator, MenuTrigger } from '#app/ui/menu/menu.tsx';
import { FILE_KINDS, kindOf, type FileTree } from './file-tree.ts';

const MB = 2 ** 20;
const SIZES = [MB, 10 * MB, 100 * MB, 1024 * MB];

/** Menu to choose files: by kind, by size, those that match the filter, all, none. */
export function TorrentChoiceMenu({
  tree,
  filter,
  isDisabled,
}: {
  tree: FileTree;
  filter: string;
  isDisabled: boolean;
}) {
  const t = useT();
  const format = useFormat();
  const kinds = tree.kinds();
  const sought = filter.trim().toLowerCase();
  return (
    <MenuTrigger>
      <Button icon={<ListFilter />} disabled={isDisabled} className="max-md:h-11">
        {t('offline.tree.choose')}
      </Button>
      <Menu>
        {sought !== '' && (
          <>
            <MenuItem onAction={() => tree.chooseWhere((file) => file.name.toLowerCase().includes(sought))}>
              {t('offline.tree.onlyShown')}
            </MenuItem>
            <MenuSeparator />
          </>
        )}
        <MenuItem onAction={() => tree.chooseWhere(() => true)}>{t('offline.tree.all')}</MenuItem>
        <MenuItem onAction={() => tree.chooseWhere(() => false)}>{t('offline.tree.none')}</MenuItem>
        <MenuSection title={t('offline.tree.byKind')}>
          {FILE_KINDS.flatMap((kind) => {
            const found = kinds.get(kind);
            if (!found) return [];
            const isAll = found.chosen === found.count;
            return (
              <MenuItem
                key={kind}
                multiple
                isSelected={isAll}
                onAction={() => tree.chooseWhere((file) => kindOf(file) === kind, !isAll)}
              >
                {`${t(`offline.kind.${kind}`)} · ${format.number(found.count)}`}
              </MenuItem>
            );
          })}
        </MenuSection>
        <MenuSection title={t('offline.tree.bySize')}>
          {SIZES.map((size) => (
            <MenuItem key={size} onAction={() => tree.chooseWhere((file) => file.size > size)}>
              {t('offline.tree.larger', { size: format.bytes(size) })}
            </MenuItem>
          ))}
        </MenuSection>
      </Menu>
    </MenuTrigger>
  );
}
