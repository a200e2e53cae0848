import { CloudDownload, FolderInput, Link2, Upload } from 'lucide-react';
import { LocaleLink } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import { Dialog } from '#app/ui/dialog.tsx';
import { WayList } from './way-list.tsx';

/** Dialog with what people do first in a drive, and where. */
export function BeginnerDialog({ onClose }: { onClose: () => void }) {
  const t = useT();
  const ways = [
    {
      to: '/drive/all',
      icon: <Upload aria-hidden="true" />,
      name: t('firstSteps.upload'),
      text: t('firstSteps.uploadText'),
    },
    {
      to: '/help-center/sharing/share-files',
      icon: <Link2 aria-hidden="true" />,
      name: t('firstSteps.share'),
      text: t('firstSteps.shareText'),
    },
    {
      to: '/help-center/sharing/save-a-share',
      icon: <FolderInput aria-hidden="true" />,
      name: t('firstSteps.save'),
      text: t('firstSteps.saveText'),
    },
    {
      to: '/drive/transfers?action=create_task',
      icon: <CloudDownload aria-hidden="true" />,
      name: t('firstSteps.download'),
      text: t('firstSteps.downloadText'),
    },
  ];
  return (
    <Dialog isOpen size="m" compact onClose={onClose} title={t('firstSteps.title')}>
      <WayList ways={ways} onChoose={onClose} />
      <p className="mt-4 text-13">
        <LocaleLink
          to="/help-center/start"
          onClick={onClose}
          className="text-blue-strong underline underline-offset-3"
        >
          {t('firstSteps.more')}
        </LocaleLink>
      </p>
    </Dialog>
  );
}
