import { lazy, Suspense, useState } from 'react';
import { useLocation, useMatches, useNavigate } from 'react-router';
import { signInFirst } from '#app/api/members-only.ts';
import { useOffers } from '#app/api/offers.ts';
import { useViewer } from '#app/api/viewer.ts';
import { usePageAction } from '#app/embedding/use-page-action.ts';
import { loadMessages } from '#app/i18n/catalogue.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import type { PlanDialogName } from './plan-dialog.tsx';

const PlanDialog = lazy(() => import('./plan-dialog.tsx'));

/** Opens the dialogs about the plan that an address asks for, over any page outside the drive, which does it itself. */
export function DialogHost() {
  const isDrive = useMatches().some(({ id }) => id === 'drive/drive-layout');
  return isDrive ? null : <Host />;
}

function Host() {
  const viewer = useViewer();
  const navigate = useNavigate();
  const path = useLocalePath();
  const { pathname, search } = useLocation();
  const { codes, invitations } = useOffers();
  const [opened, setOpened] = useState<{ name: PlanDialogName; code: string }>();

  const open = (name: PlanDialogName, code = ''): void => {
    // Visitors sign in, and come back to the address that asks for the dialog.
    if (viewer) void loadMessages('member').then(() => setOpened({ name, code }));
    else void navigate(signInFirst({ pathname, search }), { replace: true });
  };
  /** The shop explains what is offered instead. */
  const openIf = (isOffered: boolean, name: PlanDialogName, code?: string): void => {
    if (isOffered) open(name, code);
    else void navigate(path('/inapp/shop'), { replace: true });
  };
  usePageAction({
    show_storage_dialog: () => open('storage'),
    show_traffic_dialog: () => open('traffic'),
    open_redeem_box: (_ids, code) => openIf(codes, 'redeem', code),
    show_invite_dialog: () => openIf(invitations !== null, 'invite'),
  });
  return (
    opened && (
      <Suspense>
        <PlanDialog {...opened} onClose={() => setOpened(undefined)} />
      </Suspense>
    )
  );
}
