import { Outlet } from 'react-router';
import { PageFailure } from '#app/page/page-failure.tsx';
import type { Route } from './+types/account-pages';

/** The pages of an account. What goes wrong in one of them leaves the others in reach. */
export default function AccountPages() {
  return <Outlet />;
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return <PageFailure error={error} />;
}
