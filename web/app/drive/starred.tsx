import { useNavigate } from 'react-router';
import type { File } from '@bowerbird/contract';
import { useCall, call as browserCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { pageServices } from '#app/api/page-services.ts';
import { queryClient } from '#app/api/query.ts';
import { useLocalePath } from '#app/i18n/locale.tsx';
import { useT } from '#app/i18n/t.ts';
import {
  Explorer,
  firstPaintMode,
  isFolder,
  otherView,
  SelectionBar,
  singleId,
  useDisplayMode,
  useEntries,
  useOpenFile,
  useSelecting,
  ViewToggle,
  type EntryAction,
  type Selection,
} from '#app/node/index.ts';
import { useBusyTitle } from '#app/offline/index.ts';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';
import { PageTitle } from '#app/ui/page-title.tsx';
import type { Route } from './+types/starred';
import { DetailsPanel } from './details-panel.tsx';
import { folderHref, NAME_ORDER, prefetchEntries, soon, starredEntries } from './drive-data.ts';
import { DrivePreview } from './drive-preview.tsx';
import { FileMenuItems } from './file-menu.tsx';
import { useDriveKeys } from './key-help.tsx';
import { SelectButton } from './select-button.tsx';
import { PlaceTitle, TopBar } from './top-bar.tsx';
import { useDetails } from './use-details.ts';
import { useFileWork } from './use-file-work.tsx';

/** Starred things come from everywhere; last starred first. */
const MODE = { order: NAME_ORDER, pinFoldersTop: false };

export async function loader({ request, context }: Route.LoaderArgs) {
  const { call } = context.get(pageServices);
  return {
    mode: firstPaintMode(request.headers.get('cookie'), 'global'),
    first: await starredEntries(call, MODE).load('', new AbortController().signal),
  };
}

export async function clientLoader() {
  await soon(prefetchEntries(queryClient(), starredEntries(browserCall, MODE)));
  return { mode: firstPaintMode(document.cookie, 'global'), first: undefined };
}

export default function Starred({ loaderData }: Route.ComponentProps) {
  const t = useT();
  const call = useCall();
  const navigate = useNavigate();
  const path = useLocalePath();
  const text = useErrorText();
  const mode = useDisplayMode({ scope: 'global', initial: loaderData.mode });
  const entries = useEntries({
    ...starredEntries(call, MODE),
    ...(loaderData.first ? { initial: loaderData.first } : {}),
  });
  const selecting = useSelecting(entries, 'starred');
  const preview = useOpenFile();
  const details = useDetails(selecting);
  const open = (file: File): void =>
    isFolder(file) ? void navigate(path(folderHref(file.id))) : preview.open(file.id);
  const work = useFileWork({
    entries,
    selecting,
    folderId: undefined,
    onOpen: open,
    onDetails: details.show,
  });
  useDriveKeys();

  const act = (action: EntryAction, selection: Selection): void | false => {
    const actions = work.actionsFor(selection);
    switch (action) {
      case 'rename':
        return actions.rename?.();
      case 'trash':
        return actions.trash();
      case 'delete':
        return work.askDelete(selection);
      case 'copy':
        return work.hold(selection, false);
      case 'details':
        return details.toggle(singleId(selection));
      case 'star':
        return actions.star();
      case 'download':
        return actions.download();
      case 'toggle-view':
        return mode.setView(otherView(mode.viewType));
      default:
        return false;
    }
  };

  return (
    <>
      <PageTitle title={useBusyTitle(t('drive.starred'))} noIndex />
      <TopBar
        tools={
          <>
            <SelectButton selecting={selecting} isEmpty={entries.count === 0} />
            <ViewToggle
              view={mode.viewType}
              views={['list', 'grid'] as const}
              onView={(view) => mode.setView(view)}
            />
          </>
        }
      >
        <PlaceTitle>{t('drive.starred')}</PlaceTitle>
      </TopBar>
      <div className="relative flex min-h-0 flex-1">
        <div className="relative min-h-0 min-w-0 flex-1">
          <Explorer
            label={t('drive.starred')}
            entries={entries}
            selecting={selecting}
            view={mode.viewType}
            placeKey="starred"
            onOpen={open}
            hrefOf={(file) =>
              isFolder(file) ? path(folderHref(file.id)) : path(`/drive/starred?open_file=${file.id}`)
            }
            onAction={act}
            menu={(selection) => (
              <FileMenuItems actions={work.actionsFor(selection)} isStarred={work.allStarred(selection)} />
            )}
            rename={work.renaming}
            empty={<EmptyState title={t('drive.starredEmpty.title')} text={t('drive.starredEmpty.text')} />}
            failed={(failure, retry) => (
              <EmptyState
                title={t('drive.failed.title')}
                text={text(failure)}
                actions={<Button onClick={retry}>{t('ui.retry')}</Button>}
              />
            )}
          />
          <SelectionBar over="list" selecting={selecting} total={entries.total} actions={work.barActions} />
        </div>
        {details.isShown && (
          <DetailsPanel
            file={details.id === undefined ? undefined : entries.fileOf(details.id)}
            selecting={selecting}
            onClose={details.hide}
          />
        )}
      </div>
      {preview.id !== undefined && <DrivePreview preview={preview} entries={entries} work={work} />}
      {work.dialogs}
    </>
  );
}
