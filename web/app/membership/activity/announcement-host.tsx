import { lazy, Suspense, useState } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { activityApi, type ActivitySummary } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { usePageAction } from '#app/embedding/use-page-action.ts';
import { loadMessages } from '#app/i18n/catalogue.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';

const ActivityDialog = lazy(async () => {
  const [{ ActivityDialog }] = await Promise.all([import('./activity-dialog.tsx'), loadMessages('site')]);
  return { default: ActivityDialog };
});
const BeginnerDialog = lazy(async () => {
  const [{ BeginnerDialog }] = await Promise.all([import('../beginner-dialog.tsx'), loadMessages('member')]);
  return { default: BeginnerDialog };
});

/**
 * Shows the current activity, or the first steps, over whichever page whose address requests it. Without a current activity, leads to the
 * page that says so. Nothing is shown unless it was requested.
 */
export function AnnouncementHost() {
  const call = useCall();
  const navigate = useNavigate();
  const path = useLocalePath();
  const { pathname } = useLocation();
  const [dialog, setDialog] = useState<{ at: string; activity: ActivitySummary | undefined }>();

  const showActivity = async (): Promise<void> => {
    const { activities } = await call(activityApi.list, {});
    const running = activities.filter(({ state }) => state === 'running');
    const activity = running.find(({ type }) => type !== 'text') ?? running[0];
    if (activity) setDialog({ at: pathname, activity });
    else void navigate(path('/activity-end'), { replace: true });
  };
  const show = (): void => {
    showActivity().catch(() => void navigate(path('/activity-end'), { replace: true }));
  };
  usePageAction({
    show_activity_dialog: show,
    show_popup_window: show,
    show_beginner_dialog: () => setDialog({ at: pathname, activity: undefined }),
  });

  const close = (): void => setDialog(undefined);
  // It belongs to the page on which it was opened.
  if (dialog === undefined || dialog.at !== pathname) return null;
  return (
    <Suspense>
      {dialog.activity ? (
        <ActivityDialog activity={dialog.activity} onClose={close} />
      ) : (
        <BeginnerDialog onClose={close} />
      )}
    </Suspense>
  );
}
