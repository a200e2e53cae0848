import { lazy, Suspense, useState } from 'react';
import { Check, Download, EllipsisVertical, Flag, Link2, QrCode, Settings2 } from 'lucide-react';
import { Form } from 'react-router';
import type { File } from '@bowerbird/contract';
import { useErrorText } from '#app/api/error-text.ts';
import { copyText } from '#app/browser/copy-text.ts';
import { HydratedLater, usePageFrame } from '#app/i18n/page-frame.tsx';
import { useT } from '#app/i18n/t.ts';
import type { DisplayMode } from '#app/node/display/display-mode.ts';
import { contentUrl } from '#app/node/file-facts.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { Button } from '#app/ui/button.tsx';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Mark } from '#app/ui/mark.tsx';
import { Menu, MenuItem, MenuTrigger } from '#app/ui/menu/menu.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import { SensitiveCover } from './sensitive-cover.tsx';
import type { OpenShare, ShareListing } from './share-data.ts';
import { ShareHead } from './share-head.tsx';
import { useSaving, type Saving } from './use-saving.tsx';

// Rendered with the page on the server; loaded in the browser after the head has become interactive.
const ShareFiles = import.meta.env.SSR
  ? (await import('./share-files.tsx')).default
  : lazy(() => import('./share-files.tsx'));
const ShareFile = import.meta.env.SSR
  ? (await import('./share-file.tsx')).default
  : lazy(() => import('./share-file.tsx'));
const QrDialog = lazy(() => import('./qr-dialog.tsx'));

export interface ShareViewProps {
  readonly share: OpenShare;
  readonly listing: ShareListing;
  readonly mode: DisplayMode;
  /** File with its links: the share's only file, or the one that the address opens. */
  readonly file: File | undefined;
}

/** Open share: its facts, and its files to navigate, view, download or save. */
export function ShareView(props: ShareViewProps) {
  const { share_status: status } = props.share.opening;
  const isCovered = status === 'SENSITIVE_RESOURCE' || status === 'SENSITIVE_WORD';
  if (!isCovered) return <Contents {...props} />;
  return (
    <SensitiveCover shareId={props.share.id}>
      <Contents {...props} />
    </SensitiveCover>
  );
}

function Contents({ share, listing, mode, file }: ShareViewProps) {
  const textOf = useErrorText();
  const saving = useSaving(share);
  const [isPacking, setPacking] = useState(false);
  const { opening, only } = share;

  async function download(ids: readonly string[], known?: File): Promise<void> {
    setPacking(true);
    try {
      const { downloadShare } = await import('./download-share.ts');
      await downloadShare(share.id, opening.pass_code_token, ids, known);
    } catch (error) {
      toast.show({ text: textOf(error), tone: 'danger' });
    } finally {
      setPacking(false);
    }
  }

  return (
    <div className="group/share mx-auto w-full max-w-240 px-6 pt-9 pb-24 max-md:px-4 max-md:pt-5 max-md:pb-28">
      <ShareHead
        share={share}
        actions={
          <>
            <DownloadButton isBusy={isPacking} onPress={() => void download(only ? [only.id] : [], only)} />
            <SaveButton share={share} saving={saving} />
          </>
        }
        menu={<MoreMenu share={share} />}
      />
      {file && !only && <WithoutScripts file={file} />}
      <HydratedLater>
        {only ? (
          <ShareFile share={share} file={file ?? only} />
        ) : (
          <ShareFiles
            share={share}
            listing={listing}
            mode={mode}
            onSave={opening.own ? undefined : saving.save}
            onDownload={(ids, known) => void download(ids, known)}
          />
        )}
      </HydratedLater>
      {saving.dialogs}
    </div>
  );
}

/** Form, so that it works before and without scripts. */
function DownloadButton({ isBusy, onPress }: { isBusy: boolean; onPress: () => void }) {
  const t = useT();
  return (
    <Form
      method="post"
      reloadDocument
      onSubmit={(event) => {
        event.preventDefault();
        onPress();
      }}
      className="contents"
    >
      <Button
        type="submit"
        name="intent"
        value="download"
        size="l"
        icon={<Download />}
        busy={isBusy}
        className={BAR_BUTTON}
      >
        {t('share.download')}
      </Button>
    </Form>
  );
}

/** On phones, both buttons fill the bar at the bottom, each as wide as its text needs. */
const BAR_BUTTON = 'max-md:h-12! max-md:min-w-0 max-md:flex-auto max-md:px-3!';

function SaveButton({ share: { id, opening }, saving }: { share: OpenShare; saving: Saving }) {
  const t = useT();
  if (opening.own)
    return (
      <Button
        size="l"
        variant="primary"
        icon={<Settings2 />}
        href={`/drive/shares?share_id=${id}`}
        className={BAR_BUTTON}
      >
        {t('share.manage')}
      </Button>
    );
  if (saving.savedAt !== undefined)
    return (
      <Button size="l" variant="primary" icon={<Check />} href={saving.savedAt} className={BAR_BUTTON}>
        {t('share.openFolder')}
      </Button>
    );
  return (
    <Button
      size="l"
      variant="primary"
      icon={<Mark size={20} />}
      busy={saving.isBusy}
      onClick={() => saving.save([], Number(opening.file_num))}
      className={`${BAR_BUTTON} noscript:hidden`}
    >
      {t('share.save')}
    </Button>
  );
}

function MoreMenu({ share: { id, opening } }: { share: OpenShare }) {
  const t = useT();
  const { origin } = usePageFrame();
  const [showsQr, setShowsQr] = useState(false);
  const address = `${origin}/s/${id}`;
  const copy = (): void =>
    void copyText(address).then(
      () => toast.show({ text: t('share.copied') }),
      () => toast.show({ text: t('share.copyFailed'), tone: 'danger' }),
    );
  return (
    <>
      <MenuTrigger>
        <IconButton label={t('share.more')} icon={<EllipsisVertical />} />
        <Menu>
          <MenuItem icon={<Link2 />} onAction={copy}>
            {t('share.copyLink')}
          </MenuItem>
          <MenuItem icon={<QrCode />} onAction={() => setShowsQr(true)}>
            {t('share.qr')}
          </MenuItem>
          {!opening.own && (
            <MenuItem icon={<Flag />} href={`/contact-us?topic=abuse&link=${encodeURIComponent(address)}`}>
              {t('share.report')}
            </MenuItem>
          )}
        </Menu>
      </MenuTrigger>
      {showsQr && (
        <Suspense>
          <QrDialog url={address} onClose={() => setShowsQr(false)} />
        </Suspense>
      )}
    </>
  );
}

/** File that the address opens, for readers without scripts. */
function WithoutScripts({ file }: { file: File }) {
  const t = useT();
  const url = contentUrl(file);
  if (url === undefined) return null;
  return (
    <noscript>
      <p className="mt-6 rounded-card border border-line bg-card p-4">
        <a href={url} download className="font-medium text-blue-strong underline [overflow-wrap:anywhere]">
          {t('share.downloadFile', { name: shownName(file.name) })}
        </a>
      </p>
    </noscript>
  );
}
