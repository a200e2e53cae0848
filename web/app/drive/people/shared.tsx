import { useQuery } from '@tanstack/react-query';
import { driveApi } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { pageServices } from '#app/api/page-services.ts';
import { useT } from '#app/i18n/t.ts';
import { SinglePreview, useOpenFile } from '#app/node/index.ts';
import { shownName } from '#app/node/name/shown-name.ts';
import { useBusyTitle } from '#app/offline/index.ts';
import { PageTitle } from '#app/page/page-title.tsx';
import { loadShared, SharedItems } from '#app/share/own/index.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Spinner } from '#app/ui/spinner.tsx';
import { folderHref } from '../drive-data.ts';
import { useDriveKeys } from '../key-help.tsx';
import { PlaceTitle, TopBar } from '../top-bar.tsx';
import type { Route } from './+types/shared';

export async function loader({ context }: Route.LoaderArgs) {
  return { first: await loadShared(context.get(pageServices).call) };
}

export function clientLoader() {
  return { first: undefined };
}

/** Everything that others share with the member. Folders open as any folder does, single files in a dialog. */
export default function SharedPage({ loaderData }: Route.ComponentProps) {
  const t = useT();
  const title = useBusyTitle(t('people.shared'));
  const opened = useOpenFile();
  useDriveKeys();
  return (
    <>
      <PageTitle title={title} noIndex />
      <TopBar>
        <PlaceTitle>{t('people.shared')}</PlaceTitle>
      </TopBar>
      <SharedItems
        first={loaderData.first}
        hrefOf={({ kind, file }) =>
          kind === 'drive#folder' ? folderHref(file?.id ?? '') : `/drive/shared?open_file=${file?.id ?? ''}`
        }
      />
      {opened.id !== undefined && <SharedFile key={opened.id} id={opened.id} onClose={opened.close} />}
    </>
  );
}

function SharedFile({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useT();
  const call = useCall();
  const text = useErrorText();
  const load = (wanted: string) =>
    call(driveApi.get, { params: { id: wanted }, query: { thumbnail_size: 'SIZE_LARGE' } });
  const file = useQuery({ queryKey: ['file', id, 'shared'], queryFn: () => load(id) });
  return (
    <Dialog
      isOpen
      size="xl"
      onClose={onClose}
      title={file.data ? shownName(file.data.name) : t('people.shared')}
      {...(file.data
        ? { footer: <Button href={file.data.web_content_link}>{t('drive.menu.download')}</Button> }
        : {})}
    >
      {file.isPending && <Spinner label={t('node.preview.loading')} className="m-auto size-8 text-ink-2" />}
      {file.isError && <p role="alert">{text(file.error)}</p>}
      {file.data && <SinglePreview file={file.data} load={load} />}
    </Dialog>
  );
}
