import { Outlet } from 'react-router';
import { PageFailure } from '#app/page/page-failure.tsx';
import type { Route } from './+types/drive-pages';
import { TopBar } from './top-bar.tsx';

/** Pages of the drive. An error in one of them leaves the sidebar in place. */
export default function DrivePages() {
  return <Outlet />;
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
