import { useQuery } from '@tanstack/react-query';
import { inviteApi } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { errorText } from '#app/api/error-text.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { InvitePanel } from './invite-panel.tsx';

/** Dialog with the member's invite link, over any page of the drive. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  const call = useCall();
  const { data, error } = useQuery({ queryKey: ['invite'], queryFn: () => call(inviteApi.info, {}) });
  return (
    <Dialog
      isOpen
      size="m"
      onClose={onClose}
      title={t('invite.title')}
      footer={
        <Button href="/referral" onClick={onClose}>
          {t('invite.people')}
        </Button>
      }
    >
      {data ? (
        <InvitePanel facts={data} origin={location.origin} />
      ) : error ? (
        <p role="alert">{errorText(t, error)}</p>
      ) : (
        <Skeleton className="h-60" />
      )}
    </Dialog>
  );
}
