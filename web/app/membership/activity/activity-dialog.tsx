import type { ActivitySummary } from '@bowerbird/contract';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';

/** Dialog about the current activity, which leads to its page. */
export function ActivityDialog({ activity, onClose }: { activity: ActivitySummary; onClose: () => void }) {
  const t = useT();
  return (
    <Dialog
      isOpen
      compact
      onClose={onClose}
      title={activity.title}
      footer={
        <Button variant="primary" href={activity.path}>
          {t('activity.open')}
        </Button>
      }
    >
      <p>{activity.lead}</p>
      <p className="mt-3 text-13 text-ink-2 tabular-nums">
        {t.rich('activity.until', { time: <DateTime at={activity.end_time} /> })}
      </p>
    </Dialog>
  );
}
