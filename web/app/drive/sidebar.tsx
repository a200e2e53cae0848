import { useEffect, useState, type ComponentType, type ReactNode } from 'react';
import { useNavigate } from 'react-router';
import {
  Clock,
  CloudDownload,
  Folder,
  Link2,
  PanelLeftClose,
  PanelLeftOpen,
  Star,
  Trash2,
  Users,
  X,
} from 'lucide-react';
import { useViewer } from '#app/api/viewer.ts';
import { writeCookie } from '#app/browser/cookies.ts';
import { count } from '#app/statistics/happenings.ts';
import { LocaleLink, LocaleNavLink, useLocalePath } from '#app/i18n/locale.tsx';
import { useT, type MessageKey } from '#app/i18n/t.ts';
import { useFolderDrop, type Dragged } from '#app/node/index.ts';
import { RunningBadge } from '#app/offline/index.ts';
import { useUploads } from '#app/upload/index.ts';
import { cx } from '#app/ui/class-names.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Mark } from '#app/ui/mark.tsx';
import { Wordmark } from '#app/ui/wordmark.tsx';
import { StorageMeter } from './storage-meter.tsx';
import { FolderTree } from './tree/folder-tree.tsx';
import { PinPlaces } from './pin/pin-places.tsx';
import { TagPlaces } from './tag/tag-places.tsx';
import { useOperations } from './use-operations.ts';

const PLACES: readonly { to: string; icon: ComponentType<{ 'aria-hidden': 'true' }>; label: MessageKey }[] = [
  { to: '/drive/all', icon: Folder, label: 'drive.files' },
  { to: '/drive/recent', icon: Clock, label: 'drive.recent' },
  { to: '/drive/starred', icon: Star, label: 'drive.starred' },
  { to: '/drive/shared', icon: Users, label: 'people.shared' },
  { to: '/drive/shares', icon: Link2, label: 'drive.shares' },
  { to: '/drive/transfers', icon: CloudDownload, label: 'drive.transfers' },
  { to: '/drive/trash', icon: Trash2, label: 'drive.trash' },
];

const YEAR = 365 * 86_400;
/** Cookie with the state of the sidebar, for the server's first paint. */
export const COLLAPSED = 'pp_is_collapse';

/** Places of the drive: beside the files, optionally collapsed to icons; a drawer on phones. */
export function Sidebar({
  wasCollapsed,
  isDrawerOpen,
  onCloseDrawer,
}: {
  wasCollapsed: boolean;
  isDrawerOpen: boolean;
  onCloseDrawer: () => void;
}) {
  const t = useT();
  const operations = useOperations();
  const user = useViewer()?.sub;
  const [isCollapsed, setCollapsed] = useState(wasCollapsed);
  /** Effect of dropping entries onto a place. */
  const takes: Readonly<
    Record<string, (dragged: Dragged, ids: readonly string[], copy: boolean) => Promise<void>>
  > = {
    '/drive/all': ({ placeOf }, ids, copy) =>
      copy ? operations.copy(ids, '') : operations.move(ids, placeOf, ''),
    '/drive/starred': (_, ids) => operations.star(ids, true),
    '/drive/trash': (_, ids) => operations.trash(ids),
  };
  const toggle = (): void => {
    setCollapsed(!isCollapsed);
    writeCookie(COLLAPSED, String(!isCollapsed), { maxAge: YEAR });
  };
  useEffect(() => {
    if (!isDrawerOpen) return undefined;
    const onKey = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') onCloseDrawer();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, [isDrawerOpen, onCloseDrawer]);

  return (
    <>
      {isDrawerOpen && (
        <button
          type="button"
          tabIndex={-1}
          aria-label={t('ui.close')}
          onClick={onCloseDrawer}
          className="fixed inset-0 z-40 animate-[appear_160ms_var(--ease)] bg-scrim md:hidden"
        />
      )}
      <aside
        className={cx(
          'flex shrink-0 flex-col border-r border-line bg-sunken p-3',
          isCollapsed ? 'md:w-17' : 'md:w-62',
          'max-md:fixed max-md:inset-y-0 max-md:left-0 max-md:z-40 max-md:w-72 max-md:shadow-float max-md:transition-[translate,visibility] max-md:duration-200',
          isDrawerOpen ? 'max-md:translate-x-0' : 'max-md:invisible max-md:-translate-x-full',
        )}
      >
        <div
          className={cx(
            'flex h-12 shrink-0 items-center justify-between pb-2 pl-2',
            isCollapsed && 'md:justify-center md:pl-0',
          )}
        >
          <LocaleLink
            to="/"
            aria-label={t('drive.home')}
            className={cx('rounded-control', isCollapsed && 'md:hidden')}
          >
            <Wordmark />
          </LocaleLink>
          {isCollapsed && (
            <LocaleLink to="/" aria-label={t('drive.home')} className="rounded-control max-md:hidden">
              <Mark size={26} />
            </LocaleLink>
          )}
          <span className="md:hidden">
            <IconButton label={t('ui.close')} icon={<X />} onClick={onCloseDrawer} />
          </span>
          {!isCollapsed && (
            <span className="max-md:hidden">
              <IconButton
                label={t('drive.collapse')}
                icon={<PanelLeftClose />}
                aria-expanded
                onClick={toggle}
              />
            </span>
          )}
        </div>
        <div className="-mx-3 mt-2 min-h-0 flex-1 overflow-y-auto overscroll-contain px-3 [scrollbar-width:thin]">
          <nav aria-label={t('drive.places')} className="grid grid-cols-[minmax(0,1fr)] gap-0.5">
            {PLACES.map(({ to, icon: Icon, label }) => (
              <Place
                key={to}
                to={to}
                label={t(label)}
                isCollapsed={isCollapsed}
                icon={<Icon aria-hidden="true" />}
                onTake={takes[to]}
              />
            ))}
          </nav>
          <div className={cx(isCollapsed && 'md:hidden')}>
            <PinPlaces />
            {user !== undefined && <FolderTree user={user} />}
            <TagPlaces />
          </div>
        </div>
        <div className="pt-2">
          {isCollapsed ? (
            <span className="grid justify-center pb-1 max-md:hidden">
              <IconButton
                label={t('drive.expand')}
                icon={<PanelLeftOpen />}
                aria-expanded={false}
                onClick={toggle}
              />
            </span>
          ) : undefined}
          <div className={cx(isCollapsed && 'md:hidden')}>
            <StorageMeter />
          </div>
        </div>
      </aside>
    </>
  );
}

interface PlaceProps {
  readonly to: string;
  readonly label: string;
  readonly icon: ReactNode;
  readonly isCollapsed: boolean;
  readonly onTake: ((dragged: Dragged, ids: readonly string[], copy: boolean) => Promise<void>) | undefined;
}

function Place({ to, label, icon, isCollapsed, onTake }: PlaceProps) {
  const navigate = useNavigate();
  const path = useLocalePath();
  const { take } = useUploads();
  const isRoot = to === '/drive/all';
  const { isOver, props } = useFolderDrop({
    // Files is the root folder; the other places are not folders that entries could come from.
    folderId: isRoot ? '' : to,
    onDrop: (_, dragged, copy) => void dragged.ids().then((ids) => onTake?.(dragged, ids, copy)),
    onFiles: isRoot ? (id, data) => take(data, { id, name: label }) : undefined,
    onSpring: isRoot ? () => void navigate(path(to)) : undefined,
  });
  return (
    <LocaleNavLink
      to={to}
      {...(onTake ? props : {})}
      onClick={() => count('sidebar_clicked', to)}
      data-tip={isCollapsed ? label : undefined}
      className={({ isActive }) =>
        cx(
          'relative flex h-10 items-center gap-3 rounded-control px-3 font-medium max-md:h-12',
          isCollapsed && 'md:justify-center md:px-0',
          isActive ? 'bg-blue-wash text-blue-strong' : 'text-ink-2 hover:bg-hover hover:text-ink',
          isOver && 'outline-2 -outline-offset-2 outline-blue',
        )
      }
    >
      {icon}
      <span
        className={cx(
          'min-w-0 flex-1 leading-tight text-balance [word-break:auto-phrase]',
          isCollapsed && 'md:sr-only',
        )}
      >
        {label}
      </span>
      {to === '/drive/transfers' && <RunningBadge isSmall={isCollapsed} />}
    </LocaleNavLink>
  );
}
