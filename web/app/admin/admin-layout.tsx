import { Gauge, MessageSquare, Users } from 'lucide-react';
import { Outlet } from 'react-router';
import { operatorsOnly } from '#app/api/operators-only.ts';
import { QueryScope } from '#app/api/query-scope.tsx';
import { useViewer } from '#app/api/viewer.ts';
import { loadMessages } from '#app/i18n/catalogue.ts';
import { useT } from '#app/i18n/t.ts';
import { SettingsFrame } from '#app/page/settings-frame.tsx';
import type { Route } from './+types/admin-layout';

export const middleware: Route.MiddlewareFunction[] = [operatorsOnly];

/** Runs the middleware on the first request of every administration page. */
export function loader() {
  return null;
}

export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  const [answer] = await Promise.all([serverLoader(), loadMessages('member')]);
  return answer;
}

const PAGES = [
  { to: '/admin', icon: Gauge, label: 'admin.overview' },
  { to: '/admin/people', icon: Users, label: 'admin.people' },
  { to: '/admin/messages', icon: MessageSquare, label: 'admin.messages' },
] as const;

/** Frame of the administration pages. */
export default function AdminLayout() {
  const t = useT();
  const viewer = useViewer();
  // Administration data must not stay on the screen after the session ends.
  if (!viewer?.operator) return <main className="min-h-dvh bg-paper" />;
  return (
    <QueryScope>
      <SettingsFrame
        viewer={viewer}
        label={t('admin.title')}
        pages={PAGES.map(({ label, ...page }) => ({ ...page, label: t(label) }))}
      >
        <Outlet />
      </SettingsFrame>
    </QueryScope>
  );
}
