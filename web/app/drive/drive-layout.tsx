import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Outlet, useLocation, useNavigate } from 'react-router';
import { splitLocale } from '@bowerbird/contract';
import { membersOrSales, offeredOnly, useOffers } from '#app/api/offers.ts';
import { pageServices } from '#app/api/page-services.ts';
import { QueryScope } from '#app/api/query-scope.tsx';
import { useViewer } from '#app/api/viewer.ts';
import { parseCookies } from '#app/browser/cookies.ts';
import { loadMessages } from '#app/i18n/catalogue.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { AudioDock, PlayMemoryProvider } from '#app/node/index.ts';
import { InviteDialog, RedeemDialog, StorageDialog, TrafficDialog } from '#app/membership/index.ts';
import { OfflineProvider } from '#app/offline/index.ts';
import { UploadProvider, UploadTray, useTray } from '#app/upload/index.ts';
import type { Route } from './+types/drive-layout';
import { DriveBanner } from './drive-banner.tsx';
import { ReportNotice } from './report/report-notice.tsx';
import { DriveFrame } from './drive-frame.tsx';
import { usePageAction } from '#app/embedding/use-page-action.ts';
import { useStrayDrops } from './use-stray-drops.ts';
import { COLLAPSED, Sidebar } from './sidebar.tsx';
import { VisitorFrame } from './visitor-frame.tsx';
import { useLiveDrive } from './use-live-drive.ts';
import { usePlayReports } from './recent/use-play-reports.ts';
import { useRefresh } from './use-refresh.ts';

/** Only members have a drive; others sign in and return, except from the shop, which shows everyone its prices. */
export const middleware: Route.MiddlewareFunction[] = [offeredOnly, membersOrSales];

const KeyHelp = lazy(() => import('./key-help.tsx').then(({ KeyHelp }) => ({ default: KeyHelp })));

/**
 * Runs the middleware on the first request of every drive page, and returns the stored state of the sidebar, and whether
 * help articles exist.
 */
export function loader({ request, context }: Route.LoaderArgs) {
  return {
    isCollapsed: parseCookies(request.headers.get('cookie') ?? '')[COLLAPSED] === 'true',
    hasHelp: context.get(pageServices).library.contents.help.length > 0,
  };
}

export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  const [answer] = await Promise.all([serverLoader(), loadMessages('member')]);
  return answer;
}

export function shouldRevalidate() {
  return false;
}

export default function DriveLayout({ loaderData }: Route.ComponentProps) {
  return (
    <QueryScope>
      <Drive {...loaderData} />
    </QueryScope>
  );
}

function Drive({ isCollapsed, hasHelp }: Pick<ShellProps, 'isCollapsed' | 'hasHelp'>) {
  const viewer = useViewer();
  const refresh = useRefresh();
  useLiveDrive(refresh);
  const played = usePlayReports();
  const { pathname } = useLocation();
  if (!viewer)
    return isForEveryone(pathname) ? (
      <VisitorFrame>
        <Outlet />
      </VisitorFrame>
    ) : (
      <SignedOut />
    );
  return (
    <UploadProvider user={viewer.sub} onLanded={refresh}>
      <OfflineProvider onArrived={refresh}>
        <PlayMemoryProvider provided={played}>
          <Shell isCollapsed={isCollapsed} hasHelp={hasHelp}>
            <Outlet />
          </Shell>
        </PlayMemoryProvider>
      </OfflineProvider>
    </UploadProvider>
  );
}

/** True for the only page in this layout that visitors may see. */
const isForEveryone = (pathname: string): boolean => /^\/inapp\/shop\/?$/.test(splitLocale(pathname).path);

/**
 * Hides everything of the drive once the session has ended; the code that noticed the end opens the sign-in
 * dialog.
 */
function SignedOut() {
  return <main className="min-h-dvh bg-paper" />;
}

interface ShellProps {
  isCollapsed: boolean;
  hasHelp: boolean;
  children: ReactNode;
}

function Shell({ isCollapsed, hasHelp, children }: ShellProps) {
  const t = useT();
  const tray = useTray();
  const { key } = useLocation();
  // Key of the page with the open drawer: on the next page it is closed.
  const [openAt, setOpenAt] = useState<string>();
  const [dialog, setDialog] = useState<'keys' | 'storage' | 'traffic' | 'invite'>();
  const close = (): void => setDialog(undefined);
  /** The code in the dialog that redeems one, while it is open. */
  const [code, setCode] = useState<string>();
  const offers = useOffers();
  const navigate = useNavigate();
  const path = useLocalePath();
  const [askedAt, setAskedAt] = useState<string>();
  useStrayDrops();
  usePageAction({
    show_mobile_sidebar: () => setAskedAt(key),
    show_storage_dialog: () => setDialog('storage'),
    show_traffic_dialog: () => setDialog('traffic'),
    open_redeem_box: (_ids, given) => {
      if (offers.codes) setCode(given);
      // It explains how to ask for more.
      else void navigate(path('/inapp/shop'), { replace: true });
    },
    show_invite_dialog: () => {
      if (offers.invitations) setDialog('invite');
      else void navigate(path('/inapp/shop'), { replace: true });
    },
  });
  // Removing the parameter that opened the drawer changes the address: the drawer then belongs to the resulting
  // page.
  if (askedAt !== undefined && askedAt !== key) {
    setAskedAt(undefined);
    setOpenAt(key);
  }
  return (
    <DriveFrame
      value={{
        hasHelp,
        openTray: tray.open,
        openSidebar: () => setOpenAt(key),
        openKeys: () => setDialog('keys'),
        openStorage: () => setDialog('storage'),
        openTraffic: () => setDialog('traffic'),
        openRedeemBox: offers.codes ? () => setCode('') : undefined,
      }}
    >
      <a
        href="#content"
        className="sr-only z-50 rounded-control bg-card px-4 py-2 focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        {t('drive.skip')}
      </a>
      <div className="flex h-dvh overflow-hidden bg-paper">
        <div className="bare:hidden contents print:hidden">
          <Sidebar
            wasCollapsed={isCollapsed}
            isDrawerOpen={openAt === key}
            onCloseDrawer={() => setOpenAt(undefined)}
          />
        </div>
        <main id="content" className="relative flex min-w-0 flex-1 flex-col">
          <DriveBanner />
          <ReportNotice />
          {children}
          {/* Beside and above the round button and the floating elements at the bottom of phones. */}
          <AudioDock className="mx-6 mb-4 w-100 max-w-[calc(100%-48px)] shrink-0 max-md:mr-22 max-md:mb-[calc(12px+var(--bar,0px)+var(--tray,0px))] max-md:ml-3 max-md:w-auto" />
        </main>
      </div>
      <UploadTray tray={tray} />
      <Suspense>
        {dialog === 'keys' && <KeyHelp onClose={close} />}
        {dialog === 'storage' && <StorageDialog onClose={close} />}
        {dialog === 'traffic' && <TrafficDialog onClose={close} />}
        {code !== undefined && <RedeemDialog code={code} onClose={() => setCode(undefined)} />}
        {dialog === 'invite' && <InviteDialog onClose={close} />}
      </Suspense>
    </DriveFrame>
  );
}
