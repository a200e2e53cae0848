import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
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
  /** Menu items for the folders beside a crumb, which is in `parent`: the separators become buttons. */
  readonly beside?: ((parent: Crumb, crumb: Crumb) => ReactNode) | undefined;
  /** Menu of the open folder, beside the last crumb. */
  readonly after?: ReactNode;
  readonly className?: string;
}

/** Most crumbs above the open folder. */
const MOST = 3;
/** Width in px of an average crumb with its separator, and of the open folder's name with the folded crumbs. */
const CRUMB = 120;
const REST = 180;

/**
 * Path from the root to the open folder. Its middle collapses, as far as the page has no room for it; phones show an "up"
 * button and the name.
 */
export function Breadcrumb({ crumbs, drop, beside, after, className }: BreadcrumbProps) {
  const t = useT();
  const nav = useRef<HTMLElement>(null);
  const most = useMost(nav);
  const here = crumbs.at(-1);
  const above = crumbs.slice(0, -1);
  const parent = above.at(-1);
  if (!here) return null;
  // The root and the folders that are nearest to the open one remain.
  const fromStart = above.length <= most ? above.length : most > 1 ? 1 : 0;
  const folded = above.slice(fromStart, above.length - Math.max(most - 1, 1));
  const shown = above.filter((crumb) => !folded.includes(crumb));
  const separated = (from: Crumb) => {
    const next = crumbs[crumbs.indexOf(from) + 1];
    return next && beside ? (
      <Siblings label={t('node.way.beside', { name: shownName(from.name) })}>{beside(from, next)}</Siblings>
    ) : (
      <Separator />
    );
  };
  const more = folded.length > 0 && (
    <>
      <Folded crumbs={folded} />
      {separated(folded.at(-1)!)}
    </>
  );
  return (
    <nav ref={nav} aria-label={t('node.way')} className={cx('flex min-w-0 items-center', className)}>
      {parent && (
        <IconButton
          label={t('node.up', { name: shownName(parent.name) })}
          href={parent.href}
          icon={<ChevronLeft aria-hidden="true" />}
          className="-ms-2 md:hidden"
        />
      )}
      <ol className="flex min-w-0 items-center text-16">
        {fromStart === 0 && more && <li className="flex shrink-0 items-center max-md:hidden">{more}</li>}
        {shown.map((crumb, at) => (
          <li key={crumb.id} className="flex min-w-0 shrink items-center max-md:hidden">
            <CrumbLink crumb={crumb} drop={drop} />
            {separated(crumb)}
            {at === 0 && fromStart > 0 && more}
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
          <Folded crumbs={above} />
        </span>
      )}
      {after}
    </nav>
  );
}

/** Number of crumbs above the open folder that the page has room for. */
function useMost(nav: { readonly current: HTMLElement | null }): number {
  const [most, setMost] = useState(MOST);
  // The server assumes a wide screen.
  useLayoutEffect(() => {
    const room = nav.current?.parentElement;
    if (!room) return undefined;
    const measure = () => setMost(Math.max(1, Math.min(MOST, Math.floor((room.clientWidth - REST) / CRUMB))));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(room);
    return () => observer.disconnect();
  }, [nav]);
  return most;
}

function Folded({ crumbs }: { crumbs: readonly Crumb[] }) {
  const t = useT();
  return (
    <MenuTrigger>
      <IconButton label={t('node.way.more')} size="s" icon={<Ellipsis aria-hidden="true" />} />
      <Menu>
        {crumbs.map(({ id, name, href }) => (
          <MenuItem key={id} href={href} icon={<Folder aria-hidden="true" />}>
            {shownName(name)}
          </MenuItem>
        ))}
      </Menu>
    </MenuTrigger>
  );
}

function Separator() {
  return <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-ink-3 rtl:-scale-x-100" />;
}

/** Separator that opens the folders beside the next crumb. */
function Siblings({ label, children }: { label: string; children: ReactNode }) {
  return (
    <MenuTrigger>
      <IconButton
        label={label}
        size="s"
        icon={<ChevronRight aria-hidden="true" className="size-4! rtl:-scale-x-100" />}
        className="w-6! shrink-0 text-ink-3"
      />
      <Menu className="md:w-64">{children}</Menu>
    </MenuTrigger>
  );
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
