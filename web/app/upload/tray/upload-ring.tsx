import { ArrowUpFromLine } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { ProgressRing } from '#app/ui/progress-ring.tsx';
import { useUploadSnapshot } from '../upload-provider.tsx';

/** Progress of all uploads, in the top bar; opens the tray. Hidden while nothing is uploaded. */
export function UploadRing({ onOpen }: { onOpen: () => void }) {
  const t = useT();
  const { totals, current } = useUploadSnapshot();
  if (totals.count === 0) return null;
  const { done, count } = totals.pending > 0 ? current : totals;
  const label = t('upload.ring', { done, count });
  return (
    <IconButton
      label={label}
      onClick={onOpen}
      icon={totals.pending > 0 ? <ProgressRing value={current.part} label={label} /> : <ArrowUpFromLine />}
    />
  );
}
