import { useState } from 'react';
import { QrCode, Share } from 'lucide-react';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { CopyButton } from '#app/page/copy-button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Checkbox } from '#app/ui/form/checkbox.tsx';
import { TextField } from '#app/ui/form/text-field.tsx';
import { QrPicture } from '#app/ui/qr-picture.tsx';

/** Address of a share that was created or changed, and its passcode; '' without one. */
export interface Made {
  readonly url: string;
  readonly passcode: string;
}

/** Dialog with the link of a new share, to copy, scan or send to another app. */
export function ShareLink({ made, onClose }: { made: Made; onClose: () => void }) {
  const t = useT();
  const [inLink, setInLink] = useState(false);
  const [showsQr, setShowsQr] = useState(false);
  const url =
    inLink && made.passcode !== '' ? `${made.url}?s_code=${encodeURIComponent(made.passcode)}` : made.url;
  const sentence =
    made.passcode !== '' && !inLink ? t('drive.share.sentence', { url, passcode: made.passcode }) : url;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={t('drive.share.ready')}
      footer={
        <>
          <Button onClick={onClose}>{t('drive.share.done')}</Button>
          <CopyButton
            text={sentence}
            label={made.passcode !== '' && !inLink ? t('drive.share.copyBoth') : t('drive.share.copyLink')}
            copiedLabel={t('drive.share.copied')}
            failure={t('drive.share.copyFailed')}
          />
        </>
      }
    >
      <div className="grid gap-4">
        <TextField
          label={t('drive.share.link')}
          readOnly
          value={url}
          onFocus={(event) => event.currentTarget.select()}
        />
        {made.passcode !== '' && (
          <>
            <p className="flex items-baseline gap-3">
              <span className="text-13 text-ink-2">{t('drive.share.passcode')}</span>
              <b className="font-mono text-20 font-semibold tracking-[0.2em]">{made.passcode}</b>
            </p>
            <Checkbox isSelected={inLink} onChange={setInLink}>
              {t('drive.share.inLink')}
            </Checkbox>
          </>
        )}
        <div className="flex flex-wrap gap-2">
          <Button icon={<QrCode />} aria-expanded={showsQr} onClick={() => setShowsQr(!showsQr)}>
            {t('drive.share.qr')}
          </Button>
          {typeof navigator.share === 'function' && (
            <Button
              icon={<Share />}
              onClick={() => void navigator.share({ text: sentence }).catch(() => undefined)}
            >
              {t('drive.share.system')}
            </Button>
          )}
        </div>
        {showsQr && <QrPicture text={url} label={t('drive.share.qrLabel')} />}
      </div>
    </Dialog>
  );
}
