import { Outlet } from 'react-router';
import { PageFailure } from '#app/page/page-failure.tsx';
import type { Route } from './+types/drive-pages';
import { TopBar } from './top-bar.tsx';

/** The pages of the drive. What goes wrong in one of them leaves the places around it where they are. */
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
