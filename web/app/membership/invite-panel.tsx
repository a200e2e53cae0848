import { useState } from 'react';
import { Copy, QrCode, Share } from 'lucide-react';
import { copyText } from '#app/browser/copy-text.ts';
import { inviteLink } from '#app/browser/invite-code.ts';
import { useIsBrowser } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { CopyButton } from '#app/page/copy-button.tsx';
import { cx } from '#app/ui/class-names.ts';
import { TextField } from '#app/ui/form/text-field.tsx';
import { QrPicture } from '#app/ui/qr-picture.tsx';
import { toast } from '#app/ui/toast/toast.tsx';

/** Code of a member, and what it brings to both sides; 0 days for nothing. */
export interface InviteFacts {
  readonly code: string;
  readonly plan: string;
  readonly invited_days: number;
  readonly inviter_days: number;
  readonly purchase_days: number;
}

/**
 * Link with which a member invites others: to copy, scan or send to another app. The QR code stands beside it if there
 * is space for it, otherwise it opens below.
 */
export function InvitePanel({
  facts,
  origin,
  isWide = false,
}: {
  facts: InviteFacts;
  origin: string;
  isWide?: boolean;
}) {
  const t = useT();
  const canShare = useCanShare();
  const [showsQr, setShowsQr] = useState(false);
  const { code, plan, invited_days: theirs, inviter_days: own, purchase_days: bought } = facts;
  const url = inviteLink(origin, code);
  const sentence =
    theirs > 0 ? t('invite.sentence', { count: theirs, plan, url }) : t('invite.sentencePlain', { url });
  const qr = <QrPicture text={url} label={t('drive.share.qrLabel')} />;
  return (
    // A ligature of the font would show an x between digits as a multiplication sign.
    <div className="grid gap-5 [font-variant-ligatures:no-contextual]">
      <div className="grid gap-1 text-ink-2">
        {theirs > 0 && <p>{t('invite.theyGet', { count: theirs, plan })}</p>}
        {own > 0 && <p>{t('invite.youGet', { count: own, plan })}</p>}
        {bought > 0 && <p>{t('invite.youGetPurchase', { count: bought, plan })}</p>}
      </div>
      <div className={cx('grid gap-x-8 gap-y-5', isWide && 'md:grid-cols-[minmax(0,1fr)_auto]')}>
        <div className="grid content-start gap-4">
          <TextField
            label={t('drive.share.link')}
            readOnly
            value={url}
            onFocus={(event) => event.currentTarget.select()}
          />
          <p className="flex flex-wrap items-baseline gap-x-3">
            <span className="text-13 text-ink-2">{t('invite.code')}</span>
            <b className="font-mono text-20 font-semibold tracking-[0.12em]">{code}</b>
          </p>
          <div className="flex flex-wrap gap-2">
            <CopyButton
              text={url}
              label={t('drive.share.copyLink')}
              copiedLabel={t('drive.share.copied')}
              failure={t('drive.share.copyFailed')}
            />
            {canShare && (
              <Button
                icon={<Share />}
                onClick={() => void navigator.share({ text: sentence }).catch(() => undefined)}
              >
                {t('drive.share.system')}
              </Button>
            )}
            {!isWide && (
              <Button icon={<QrCode />} aria-expanded={showsQr} onClick={() => setShowsQr(!showsQr)}>
                {t('drive.share.qr')}
              </Button>
            )}
          </div>
        </div>
        {(isWide || showsQr) && qr}
      </div>
      <ShareText text={sentence} />
    </div>
  );
}

/** Returns true once it is known that the browser can send a text to another app. */
function useCanShare(): boolean {
  return useIsBrowser() && typeof navigator.share === 'function';
}

/** Text for a message to a friend. */
function ShareText({ text }: { text: string }) {
  const t = useT();
  const copy = (): void =>
    void copyText(text).then(
      () => toast.show({ text: t('drive.share.copied') }),
      () => toast.show({ text: t('drive.share.copyFailed'), tone: 'danger' }),
    );
  return (
    <div className="grid justify-items-start gap-2 rounded-control border border-line bg-paper p-3">
      <p className="text-13 [overflow-wrap:anywhere] text-ink-2">{text}</p>
      <Button size="s" icon={<Copy />} onClick={copy}>
        {t('invite.copyText')}
      </Button>
    </div>
  );
}
