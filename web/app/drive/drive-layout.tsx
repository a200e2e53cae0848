import { useState, type ReactNode } from 'react';
import { Outlet, redirect, useLocation } from 'react-router';
import { splitLocale } from '@bowerbird/contract';
import { pageServices } from '#app/api/page-services.ts';
import { QueryScope } from '#app/api/query-scope.tsx';
import { useViewer } from '#app/api/viewer.ts';
import { loadMemberMessages } from '#app/i18n/catalogue.ts';
import { withPrefix } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { AudioDock } from '#app/node/index.ts';
import { UploadProvider, UploadTray, useTray } from '#app/upload/index.ts';
import type { Route } from './+types/drive-layout';
import { DriveFrame } from './drive-frame.tsx';
import { Sidebar } from './sidebar.tsx';
import { useRefresh } from './use-refresh.ts';

/** Only members have a drive; others sign in and come back. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ url: { pathname, search }, context }, next) => {
    if (context.get(pageServices).viewer) return next();
    const login = withPrefix(splitLocale(pathname).prefix, '/drive/login');
    throw redirect(`${login}?continue=${encodeURIComponent(pathname + search)}`);
  },
];

/** Runs the middleware on the first request of every drive page. */
export function loader() {
  return null;
}

export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  const [answer] = await Promise.all([serverLoader(), loadMemberMessages()]);
  return answer;
}

export function shouldRevalidate() {
  return false;
}

export default function DriveLayout() {
  return (
    <QueryScope>
      <Drive />
    </QueryScope>
  );
}

function Drive() {
  const viewer = useViewer();
  const refresh = useRefresh();
  if (!viewer) return <SignedOut />;
  return (
    <UploadProvider user={viewer.sub} onLanded={refresh}>
      <Shell>
        <Outlet />
      </Shell>
    </UploadProvider>
  );
}

/** Nothing of the drive stays on the screen once the session has ended; the sign-in dialog is opened by whoever noticed. */
function SignedOut() {
  return <main className="min-h-dvh bg-paper" />;
}

function Shell({ children }: { children: ReactNode }) {
  const t = useT();
  const tray = useTray();
  const { key } = useLocation();
  // A drawer that was opened on another page is closed on this one.
  const [openAt, setOpenAt] = useState<string>();
  return (
    <DriveFrame value={{ openTray: tray.open, openSidebar: () => setOpenAt(key) }}>
      <a href="#content" className="sr-only z-50 rounded-control bg-card px-4 py-2 focus:not-sr-only focus:fixed focus:top-3 focus:left-3">
        {t('drive.skip')}
      </a>
      <div className="flex h-dvh overflow-hidden bg-paper">
        <Sidebar isDrawerOpen={openAt === key} onCloseDrawer={() => setOpenAt(undefined)} />
        <main id="content" className="relative flex min-w-0 flex-1 flex-col">
          {children}
        </main>
      </div>
      <AudioDock />
      <UploadTray isOpen={tray.isOpen} onToggle={tray.toggle} />
    </DriveFrame>
  );
}
