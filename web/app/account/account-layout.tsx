import { KeyRound, Mail, ShieldCheck, UserRound } from 'lucide-react';
import { Outlet } from 'react-router';
import { membersOnly } from '#app/api/members-only.ts';
import { useViewer } from '#app/api/viewer.ts';
import { loadMessages } from '#app/i18n/catalogue.ts';
import { useT } from '#app/i18n/t.ts';
import { SettingsFrame } from '#app/page/settings-frame.tsx';
import type { Route } from './+types/account-layout';

/** Account pages are for members only; visitors sign in and return. */
export const middleware: Route.MiddlewareFunction[] = [membersOnly];

/** Runs the middleware on the first request of every account page. */
export function loader() {
  return null;
}

export async function clientLoader({ serverLoader }: Route.ClientLoaderArgs) {
  const [answer] = await Promise.all([serverLoader(), loadMessages('member')]);
  return answer;
}

const PAGES = [
  { to: '/drive/account', icon: UserRound, label: 'profile.title' },
  { to: '/drive/account/security', icon: ShieldCheck, label: 'security.title' },
  { to: '/drive/account/apps', icon: KeyRound, label: 'security.apps.title' },
  { to: '/drive/account/notifications', icon: Mail, label: 'profile.notices' },
] as const;

export default function AccountLayout() {
  const t = useT();
  const viewer = useViewer();
  // Account data must not stay on the screen after the session ends.
  if (!viewer) return <main className="min-h-dvh bg-paper" />;
  return (
    <SettingsFrame
      viewer={viewer}
      label={t('profile.pages')}
      pages={PAGES.map(({ label, ...page }) => ({ ...page, label: t(label) }))}
    >
      <Outlet />
    </SettingsFrame>
  );
}
