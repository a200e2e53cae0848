import type { ReactNode } from 'react';
import { ChevronLeft, ChevronRight, Ellipsis, Folder } from 'lucide-react';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { cx } from '#app/ui/class-names.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Menu, MenuItem, MenuTrigger } from '#app/ui/menu/menu.tsx';
import { type FolderDrop, useFolderDrop } from './dragging.ts';
import { shownName } from './name/shown-name.ts';

export interface Crumb {
  readonly id: string;
  readonly name: string;
  readonly href: string;
}

export interface BreadcrumbProps {
  /** Path from the root to the open folder. */
  readonly crumbs: readonly Crumb[];
  /** Makes the crumbs drop targets. */
  readonly drop?: Omit<FolderDrop, 'folderId'> | undefined;
  /** Menu of the open folder, beside the last crumb. */
  readonly after?: ReactNode;
  readonly className?: string;
}

/** Most crumbs shown in full; a longer path shows the first and the last two. */
const MOST = 4;

/** Path from the root to the open folder. Its middle collapses; phones show an "up" button and the name. */
export function Breadcrumb({ crumbs, drop, after, className }: BreadcrumbProps) {
  const t = useT();
  const here = crumbs.at(-1);
  const parent = crumbs.at(-2);
  const folded = crumbs.length > MOST ? crumbs.slice(1, -2) : [];
  const shown = crumbs.slice(0, -1).filter((crumb) => !folded.includes(crumb));
  if (!here) return null;
  return (
    <nav aria-label={t('node.way')} className={cx('flex min-w-0 items-center', className)}>
      {parent && (
        <IconButton
          label={t('node.up', { name: shownName(parent.name) })}
          href={parent.href}
          icon={<ChevronLeft aria-hidden="true" />}
          className="-ms-2 md:hidden"
        />
      )}
      <ol className="flex min-w-0 items-center text-16">
        {shown.map((crumb, at) => (
          <li key={crumb.id} className="flex min-w-0 shrink items-center max-md:hidden">
            <CrumbLink crumb={crumb} drop={drop} />
            <Separator />
            {at === 0 && folded.length > 0 && (
              <>
                <MenuTrigger>
                  <IconButton label={t('node.way.more')} size="s" icon={<Ellipsis aria-hidden="true" />} />
                  <Menu>
                    {folded.map(({ id, name, href }) => (
                      <MenuItem key={id} href={href} icon={<Folder aria-hidden="true" />}>
                        {shownName(name)}
                      </MenuItem>
                    ))}
                  </Menu>
                </MenuTrigger>
                <Separator />
              </>
            )}
          </li>
        ))}
        <li className="flex min-w-0 items-center">
          <h1 title={shownName(here.name)} aria-current="page" className="truncate px-1.5 font-semibold">
            <bdi>{shownName(here.name)}</bdi>
          </h1>
        </li>
      </ol>
      {crumbs.length > 2 && (
        <span className="md:hidden">
          <MenuTrigger>
            <IconButton label={t('node.way.more')} size="s" icon={<Ellipsis aria-hidden="true" />} />
            <Menu>
              {crumbs.slice(0, -1).map(({ id, name, href }) => (
                <MenuItem key={id} href={href} icon={<Folder aria-hidden="true" />}>
                  {shownName(name)}
                </MenuItem>
              ))}
            </Menu>
          </MenuTrigger>
        </span>
      )}
      {after}
    </nav>
  );
}

function Separator() {
  return <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-ink-3 rtl:-scale-x-100" />;
}

function CrumbLink({ crumb, drop }: { crumb: Crumb; drop: BreadcrumbProps['drop'] }) {
  const { isOver, props } = useFolderDrop({ folderId: crumb.id, onDrop: () => undefined, ...drop });
  return (
    <LocaleLink
      to={crumb.href}
      title={shownName(crumb.name)}
      draggable={false}
      {...(drop ? props : {})}
      className={cx(
        'max-w-56 min-w-8 truncate rounded-control px-1.5 py-1 font-medium text-ink-3 transition-colors hover:bg-hover hover:text-ink',
        isOver && 'bg-blue-wash text-blue-strong outline-2 outline-blue',
      )}
    >
      <bdi>{shownName(crumb.name)}</bdi>
    </LocaleLink>
  );
}
