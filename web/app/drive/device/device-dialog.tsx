import { useQuery } from '@tanstack/react-query';
import { driveApi, type File } from '@bowerbird/contract';
import { call } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useT } from '#app/i18n/t.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { CopyButton } from '#app/page/copy-button.tsx';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { QrPicture } from '#app/ui/qr-picture.tsx';
import { Spinner } from '#app/ui/spinner.tsx';

/** Link to a file for another device of the member, to scan or to copy, that works for some minutes. */
export default function DeviceDialog({ file, onClose }: { file: File; onClose: () => void }) {
  const t = useT();
  const errorText = useErrorText();
  const link = useQuery({
    queryKey: ['device link', file.id],
    queryFn: () => call(driveApi.deviceLink, { params: { id: file.id } }),
    // Each opening of the dialog gets a fresh one.
    gcTime: 0,
    staleTime: Infinity,
  });
  return (
    <Dialog
      isOpen
      compact
      onClose={onClose}
      title={t('drive.device.title')}
      footer={
        <>
          <Button onClick={onClose}>{t('drive.share.done')}</Button>
          {link.data && (
            <CopyButton
              text={link.data.url}
              label={t('drive.share.copyLink')}
              copiedLabel={t('drive.share.copied')}
              failure={t('drive.share.copyFailed')}
            />
          )}
        </>
      }
    >
      <div className="grid gap-4">
        <p className="[overflow-wrap:anywhere]">
          {t.rich('drive.device.text', { name: <bdi>{shownName(file.name)}</bdi> })}
        </p>
        <div className="grid min-h-48 place-items-center">
          {link.data ? (
            <QrPicture text={link.data.url} label={t('drive.device.qr', { name: shownName(file.name) })} />
          ) : link.error ? (
            <p role="alert" className="text-danger">
              {errorText(link.error)}
            </p>
          ) : (
            <Spinner />
          )}
        </div>
        {link.data && (
          <p className="text-13 text-ink-2">
            {t.rich('drive.device.until', { time: <DateTime key="time" at={link.data.expire} /> })}
          </p>
        )}
      </div>
    </Dialog>
  );
}
