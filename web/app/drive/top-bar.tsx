import type { ReactNode } from 'react';
import { Menu as MenuIcon } from 'lucide-react';
import { useViewer } from '#app/api/viewer.ts';
import { useT } from '#app/i18n/t.ts';
import { LanguageMenu } from '#app/page/language-menu.tsx';
import { ThemeMenu } from '#app/page/theme-menu.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { UploadRing } from '#app/upload/index.ts';
import { DriveUserMenu } from './drive-user-menu.tsx';
import { useDriveFrame } from './drive-frame.tsx';
import { DriveSearch } from './search/drive-search.tsx';

/**
 * Current place (left), list settings, and user menu (right). On phones the list's tools are on a second line.
 */
export function TopBar({
  children,
  tools,
  folder,
  search = <DriveSearch folder={folder?.id === '' ? undefined : folder} />,
}: {
  children: ReactNode;
  tools?: ReactNode;
  /** Open folder, which the search can be limited to. */
  folder?: { readonly id: string; readonly name: string };
  /** A field with another purpose than to search the drive; null if the page has its own. */
  search?: ReactNode;
}) {
  const t = useT();
  const viewer = useViewer();
  const { openTray, openSidebar } = useDriveFrame();
  return (
    <header className="relative flex min-h-16 shrink-0 items-center gap-1 pr-5 pl-6 max-md:min-h-14 max-md:flex-wrap max-md:pr-2 max-md:pl-2">
      <span className="bare:hidden md:hidden">
        <IconButton label={t('drive.places')} size="l" icon={<MenuIcon />} onClick={openSidebar} />
      </span>
      <div className="flex min-w-0 flex-1 items-center max-md:h-14">{children}</div>
      {/* Appears and disappears: only the path beside it shrinks, no button moves. */}
      <UploadRing onOpen={openTray} />
      {tools && (
        <div className="flex items-center gap-1 max-md:order-last max-md:-mt-2 max-md:min-h-12 max-md:basis-full max-md:flex-wrap max-md:px-0.5">
          {tools}
        </div>
      )}
      {viewer && search}
      <span className="flex items-center gap-1 max-md:hidden">
        <LanguageMenu />
        <ThemeMenu />
      </span>
      {viewer && (
        <span className="ml-1.5 flex max-md:mr-1">
          <DriveUserMenu viewer={viewer} />
        </span>
      )}
    </header>
  );
}

/** Top of a page that has only a title. Where the drive's bars aren't shown, the title is a hidden heading. */
export function PlaceBar({ title }: { title: string }) {
  return (
    <>
      <h1 className="barred:hidden sr-only">{title}</h1>
      <div className="bare:hidden">
        <TopBar>
          <PlaceTitle>{title}</PlaceTitle>
        </TopBar>
      </div>
    </>
  );
}

/** Name of a place that is not a folder. */
export function PlaceTitle({ children }: { children: ReactNode }) {
  return <h1 className="truncate text-16 font-semibold max-md:pl-1">{children}</h1>;
}
