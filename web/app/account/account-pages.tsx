import { Outlet } from 'react-router';
import { PageFailure } from '#app/page/page-failure.tsx';
import type { Route } from './+types/account-pages';

/** Account pages. An error in one of them leaves the navigation to the others intact. */
export default function AccountPages() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <PageFailure error={error} />;
}
