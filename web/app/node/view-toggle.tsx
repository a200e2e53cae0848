import type { ReactNode } from 'react';
import { GalleryVertical, LayoutGrid, List, type LucideIcon } from 'lucide-react';
import { type MessageKey, useT } from '#app/i18n/t.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Menu, MenuItem, MenuSeparator, MenuTrigger } from '#app/ui/menu/menu.tsx';
import type { ExplorerView } from './explorer/explorer-props.ts';

export interface ViewToggleProps<V extends ExplorerView> {
  readonly view: V;
  readonly onView: (view: V) => void;
  /** Two views are a button that switches between them; more, or the scope setting below, are a menu. */
  readonly views: readonly V[];
  /** With both, the menu also offers one view for all folders. */
  readonly isGlobal?: boolean;
  readonly onGlobal?: (isGlobal: boolean) => void;
  /** More menu items: settings of the list. */
  readonly children?: ReactNode;
}

const ICONS: Readonly<Record<ExplorerView, LucideIcon>> = {
  list: List,
  grid: LayoutGrid,
  flow: GalleryVertical,
};
const NAMES: Readonly<Record<ExplorerView, MessageKey>> = {
  list: 'node.view.list',
  grid: 'node.view.grid',
  flow: 'node.view.flow',
};

/** List, grid, or large pictures. */
export function ViewToggle<V extends ExplorerView>({
  view,
  onView,
  views,
  isGlobal,
  onGlobal,
  children,
}: ViewToggleProps<V>) {
  const t = useT();
  const nameOf = (one: ExplorerView) => t(NAMES[one]);
  const Icon: LucideIcon = ICONS[view];
  const other = views.find((one) => one !== view);
  if (views.length === 2 && other && !onGlobal) {
    const Other: LucideIcon = ICONS[other];
    return (
      <IconButton
        label={nameOf(other)}
        shortcut="V"
        icon={<Other aria-hidden="true" />}
        onClick={() => onView(other)}
      />
    );
  }
  return (
    <MenuTrigger>
      <IconButton label={t('node.view.label', { view: nameOf(view) })} icon={<Icon aria-hidden="true" />} />
      <Menu>
        {views.map((one) => {
          const One: LucideIcon = ICONS[one];
          return (
            <MenuItem
              key={one}
              icon={<One aria-hidden="true" />}
              isSelected={one === view}
              onAction={() => onView(one)}
            >
              {nameOf(one)}
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
        {children}
      </Menu>
    </MenuTrigger>
  );
}
