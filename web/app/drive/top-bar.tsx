import type { ReactNode } from 'react';
import { Menu as MenuIcon } from 'lucide-react';
import { useViewer } from '#app/api/viewer.ts';
import { useT } from '#app/i18n/t.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { LanguageMenu } from '#app/ui/language-menu.tsx';
import { ThemeMenu } from '#app/ui/theme-menu.tsx';
import { UserMenu } from '#app/ui/user-menu.tsx';
import { UploadRing } from '#app/upload/index.ts';
import { useDriveFrame } from './drive-frame.tsx';

/** Where one is (left), what can be set for the list, and who one is (right). */
export function TopBar({ children, tools }: { children: ReactNode; tools?: ReactNode }) {
  const t = useT();
  const viewer = useViewer();
  const { openTray, openSidebar } = useDriveFrame();
  return (
    <header className="flex h-16 shrink-0 items-center gap-1 pr-5 pl-6 max-md:h-14 max-md:pr-2 max-md:pl-2">
      <span className="md:hidden">
        <IconButton label={t('drive.places')} icon={<MenuIcon />} onClick={openSidebar} />
      </span>
      <div className="flex min-w-0 flex-1 items-center">{children}</div>
      {tools}
      <UploadRing onOpen={openTray} />
      <span className="flex items-center gap-1 max-md:hidden">
        <LanguageMenu />
        <ThemeMenu />
      </span>
      {viewer && (
        <span className="ml-1.5 flex">
          <UserMenu viewer={viewer} />
        </span>
      )}
    </header>
  );
}

/** Name of a place that is no folder. */
export function PlaceTitle({ children }: { children: ReactNode }) {
  return <h1 className="truncate text-16 font-semibold">{children}</h1>;
}
