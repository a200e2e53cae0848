import { QueryScope } from '#app/api/query-scope.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { RedeemDialog } from './redeem-dialog.tsx';
import { StorageDialog } from './storage-dialog.tsx';
import { TrafficDialog } from './traffic-dialog.tsx';

export type PlanDialogName = 'storage' | 'traffic' | 'redeem' | 'invite';

/** One of the dialogs about the plan, with the data cache that the drive’s pages have around them. */
export default function PlanDialog({
  name,
  code,
  onClose,
}: {
  name: PlanDialogName;
  /** Activation code that the address contains. */
  code: string;
  onClose: () => void;
}) {
  return (
    <QueryScope>
      {name === 'storage' && <StorageDialog onClose={onClose} />}
      {name === 'traffic' && <TrafficDialog onClose={onClose} />}
      {name === 'redeem' && <RedeemDialog code={code} onClose={onClose} />}
      {name === 'invite' && <InviteDialog onClose={onClose} />}
    </QueryScope>
  );
}
