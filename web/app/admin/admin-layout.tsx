import { Gauge, MessageSquare, ReceiptText, Ticket, Users } from 'lucide-react';
import { Outlet } from 'react-router';
import { adminMembershipApi } from '@bowerbird/contract';
import { operatorsOnly } from '#app/api/operators-only.ts';
import { pageServices } from '#app/api/page-services.ts';
import { QueryScope } from '#app/api/query-scope.tsx';
import { useViewer } from '#app/api/viewer.ts';
import { loadMessages } from '#app/i18n/catalogue.ts';
import { useT } from '#app/i18n/t.ts';
import { SettingsFrame } from '#app/page/settings-frame.tsx';
import type { Route } from './+types/admin-layout';

export const middleware: Route.MiddlewareFunction[] = [operatorsOnly];

/** Runs the middleware on the first request of every administration page, and says which pages there are. */
export async function loader({ context }: Route.LoaderArgs) {
  const { plans, sells } = await context.get(pageServices).call(adminMembershipApi.plans, {});
  return { hasPlans: plans.length > 0, sells };
}

export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  const [answer] = await Promise.all([serverLoader(), loadMessages('member')]);
  return answer;
}

const PAGES = [
  { to: '/admin', icon: Gauge, label: 'admin.overview' },
  { to: '/admin/people', icon: Users, label: 'admin.people' },
  { to: '/admin/orders', icon: ReceiptText, label: 'admin.orders' },
  { to: '/admin/codes', icon: Ticket, label: 'admin.codes' },
  { to: '/admin/messages', icon: MessageSquare, label: 'admin.messages' },
] as const;
type Page = (typeof PAGES)[number]['to'];

/** Frame of the administration pages. */
export default function AdminLayout({ loaderData: { hasPlans, sells } }: Route.ComponentProps) {
  const t = useT();
  const viewer = useViewer();
  // Administration data must not stay on the screen after the session ends.
  if (!viewer?.operator) return <main className="min-h-dvh bg-paper" />;
  const isThere: Partial<Record<Page, boolean>> = { '/admin/codes': hasPlans, '/admin/orders': sells };
  return (
    <QueryScope>
      <SettingsFrame
        viewer={viewer}
        label={t('admin.title')}
        pages={PAGES.filter(({ to }) => isThere[to] ?? true).map(({ label, ...page }) => ({
          ...page,
          label: t(label),
        }))}
      >
        <Outlet />
      </SettingsFrame>
    </QueryScope>
  );
}
