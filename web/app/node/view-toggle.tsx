import { GalleryVertical, LayoutGrid, List } from 'lucide-react';
import { type MessageKey, useT } from '#app/i18n/t.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator, MenuTrigger } from '#app/ui/menu.tsx';
import type { ExplorerView } from './explorer-props.ts';

export interface ViewToggleProps<V extends ExplorerView> {
  readonly view: V;
  readonly onView: (view: V) => void;
  /** Two views are a button that changes to the other; more, or the question below, are a menu. */
  readonly views: readonly V[];
  /** With both, the menu also asks whether the view is for all folders. */
  readonly isGlobal?: boolean;
  readonly onGlobal?: (isGlobal: boolean) => void;
}

const ICONS = { list: List, grid: LayoutGrid, flow: GalleryVertical };
const NAMES: Readonly<Record<ExplorerView, MessageKey>> = {
  list: 'node.view.list',
  grid: 'node.view.grid',
  flow: 'node.view.flow',
};

/** List, grid, or large pictures. */
export function ViewToggle<V extends ExplorerView>({ view, onView, views, isGlobal, onGlobal }: ViewToggleProps<V>) {
  const t = useT();
  const Icon = ICONS[view];
  const other = views.find((one) => one !== view);
  if (views.length === 2 && other && !onGlobal) {
    const Other = ICONS[other];
    return <IconButton label={t(NAMES[other])} shortcut="V" icon={<Other aria-hidden="true" />} onClick={() => onView(other)} />;
  }
  return (
    <MenuTrigger>
      <IconButton label={t('node.view.label', { view: t(NAMES[view]) })} icon={<Icon aria-hidden="true" />} />
      <Menu>
        {views.map((one) => {
          const One = ICONS[one];
          return (
            <MenuItem key={one} icon={<One aria-hidden="true" />} isSelected={one === view} onAction={() => onView(one)}>
              {t(NAMES[one])}
            </MenuItem>
          );
        })}
        {onGlobal && (
          <>
            <MenuSeparator />
            <MenuItem multiple isSelected={isGlobal ?? true} onAction={() => onGlobal(!(isGlobal ?? true))}>
              {t('node.view.global')}
            </MenuItem>
          </>
        )}
      </Menu>
    </MenuTrigger>
  );
}
