import { useT } from '#app/i18n/t.ts';
import { Dialog } from '#app/ui/dialog.tsx';
import { QrPicture } from '#app/ui/qr-picture.tsx';

/** Shows the share's address as a QR code for a phone's camera. */
export default function QrDialog({ url, onClose }: { url: string; onClose: () => void }) {
  const t = useT();
  return (
    <Dialog isOpen compact onClose={onClose} title={t('share.qr')}>
      <div className="grid gap-3">
        <QrPicture text={url} label={t('share.qr')} />
        <p className="text-center text-13 [overflow-wrap:anywhere] text-ink-3">{url}</p>
      </div>
    </Dialog>
  );
}
