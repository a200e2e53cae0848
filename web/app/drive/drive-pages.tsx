import { Outlet, useMatches } from 'react-router';
import { useT, type MessageKey } from '#app/i18n/t.ts';
import { PageFailure } from '#app/page/page-failure.tsx';
import type { Route } from './+types/drive-pages';
import { PlaceBar, TopBar } from './top-bar.tsx';

/**
 * Pages of the drive. An error in one of them leaves the sidebar in place. A page of another part of the product gets
 * the drive's bar by naming its title: `export const handle = { place: 'invite.title' }`.
 */
export default function DrivePages() {
  const t = useT();
  const handle = useMatches().at(-1)?.handle as { place?: MessageKey } | undefined;
  const title = handle?.place === undefined ? undefined : t.find(handle.place);
  if (title === undefined) return <Outlet />;
  return (
    <>
      <PlaceBar title={title} />
      <div className="min-h-0 flex-1 overflow-y-auto">
        <Outlet />
      </div>
    </>
  );
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <>
      <TopBar>{null}</TopBar>
      <div className="min-h-0 flex-1 overflow-y-auto">
        <PageFailure error={error} />
      </div>
    </>
  );
}
