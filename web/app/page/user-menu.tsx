import { useRef, type ReactNode } from 'react';
import { Folder, LogOut, ServerCog, UserRound } from 'lucide-react';
import type { Profile } from '@bowerbird/contract';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { Avatar } from '#app/ui/avatar.tsx';
import { Menu, MenuItem, MenuSeparator, MenuTrigger } from '#app/ui/menu/menu.tsx';
import { clearMemberStorage } from './clear-member-storage.ts';

/** Member's menu; items that a part of the product adds appear between the name and signing out. */
export function UserMenu({ viewer, children }: { viewer: Profile; children?: ReactNode }) {
  const t = useT();
  const path = useLocalePath();
  const signOut = useRef<HTMLFormElement>(null);
  return (
    <>
      {/* Loads a new document, so that no data of this member stays in memory. */}
      <form ref={signOut} method="post" action={path('/sign-out')} onSubmit={clearMemberStorage} hidden />
      <MenuTrigger>
        <button
          type="button"
          aria-label={t('ui.user.menu', { name: viewer.name })}
          className="relative rounded-full pointer-coarse:after:absolute pointer-coarse:after:-inset-1.5"
        >
          <Avatar name={viewer.name} picture={viewer.picture} size={34} />
        </button>
        <Menu>
          <div className="flex items-center gap-3 px-2.5 pt-2 pb-3 max-md:px-4">
            <Avatar name={viewer.name} picture={viewer.picture} size={40} />
            <div className="min-w-0">
              <div className="truncate font-semibold">{viewer.name}</div>
              <div className="truncate text-13 text-ink-3">{viewer.email || viewer.phone_number}</div>
            </div>
          </div>
          <MenuSeparator />
          {children ?? (
            <MenuItem icon={<Folder />} href="/drive/all">
              {t('ui.user.drive')}
            </MenuItem>
          )}
          <MenuItem icon={<UserRound />} href="/drive/account">
            {t('ui.user.account')}
          </MenuItem>
          {viewer.operator && (
            <MenuItem icon={<ServerCog />} href="/admin">
              {t('ui.user.service')}
            </MenuItem>
          )}
          <MenuSeparator />
          <MenuItem icon={<LogOut />} onAction={() => signOut.current?.requestSubmit()}>
            {t('ui.user.signOut')}
          </MenuItem>
        </Menu>
      </MenuTrigger>
    </>
  );
}
