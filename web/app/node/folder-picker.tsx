import { useState } from 'react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ChevronRight, FolderPlus } from 'lucide-react';
import { driveApi, type File } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useErrorText } from '#app/api/error-text.ts';
import { randomHex } from '#app/browser/device.ts';
import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { FolderIcon } from './folder-icon.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { NameDialog } from './name-dialog.tsx';
import { shownName } from './name/shown-name.ts';

const MOST = 1000;

export interface FolderPickerProps {
  readonly title: string;
  /** Label of the button: "Move here". */
  readonly confirm: string;
  readonly start: string;
  /** Folders that can't be chosen: a folder can't be moved into itself. */
  readonly refused: ReadonlySet<string>;
  /** False where a new folder makes no sense, because it would be empty. */
  readonly canCreate?: boolean;
  readonly onPick: (folder: { id: string; name: string }) => void;
  readonly onClose: () => void;
}

/** Dialog to choose a folder of the drive. */
export function FolderPicker({
  title,
  confirm,
  start,
  refused,
  canCreate = true,
  onPick,
  onClose,
}: FolderPickerProps) {
  const t = useT();
  const call = useCall();
  const text = useErrorText();
  const client = useQueryClient();
  const [folderId, setFolderId] = useState(start);
  const [isNaming, setNaming] = useState(false);
  const path = useQuery({
    queryKey: ['path', folderId],
    queryFn: () =>
      folderId === ''
        ? Promise.resolve({ ancestors: [] })
        : call(driveApi.ancestors, { params: { id: folderId } }),
  });
  const folders = useQuery({
    queryKey: ['files', 'picker', folderId],
    queryFn: async (): Promise<File[]> =>
      (
        await call(driveApi.list, {
          query: {
            parent_id: folderId,
            limit: MOST,
            order: 'name_asc',
            filters: JSON.stringify({ kind: { eq: 'drive#folder' }, trashed: { eq: false } }),
          },
        })
      ).files,
  });
  const crumbs = [
    { id: '', name: t('node.picker.root') },
    ...(path.data?.ancestors ?? []).filter((ancestor) => ancestor.id !== ''),
  ];
  const here = crumbs.at(-1)!;

  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={title}
      size="m"
      footer={
        <>
          <Button onClick={onClose}>{t('ui.cancel')}</Button>
          <Button
            variant="primary"
            disabled={refused.has(folderId)}
            onClick={() => onPick({ id: folderId, name: here.name })}
          >
            {confirm}
          </Button>
        </>
      }
    >
      <div className="flex items-start gap-2 pb-3">
        <nav
          aria-label={t('node.picker.path')}
          className="flex min-h-9 min-w-0 flex-1 flex-wrap items-center gap-1 text-13 text-ink-2"
        >
          {crumbs.map((crumb, at) => (
            <span key={crumb.id} className="flex min-w-0 items-center gap-1">
              {at > 0 && <ChevronRight className="size-3.5 text-ink-3" aria-hidden="true" />}
              <button
                type="button"
                onClick={() => setFolderId(crumb.id)}
                aria-current={at === crumbs.length - 1 ? 'location' : undefined}
                className="max-w-50 truncate rounded-small px-1 py-0.5 font-medium pointer-coarse:py-2.5 hover:bg-hover aria-[current]:text-ink"
              >
                {shownName(crumb.name)}
              </button>
            </span>
          ))}
        </nav>
        {canCreate && (
          <Button
            variant="plain"
            icon={<FolderPlus />}
            onClick={() => setNaming(true)}
            className="-mr-2 max-md:h-11"
          >
            {t('node.newFolder.title')}
          </Button>
        )}
      </div>
      <div className="h-75 overflow-y-auto rounded-card border border-line max-md:h-[calc(100dvh-240px)]">
        {folders.isPending && [0, 1, 2, 3].map((row) => <Skeleton key={row} className="m-3 h-8" />)}
        {folders.isError && <p className="p-4 text-danger">{text(folders.error)}</p>}
        {folders.data?.length === 0 && (
          <p className="grid h-full place-items-center p-6 text-center text-ink-3">
            {t('node.picker.empty')}
          </p>
        )}
        <ul>
          {folders.data?.map((folder) => (
            <li key={folder.id}>
              <button
                type="button"
                disabled={refused.has(folder.id)}
                onClick={() => setFolderId(folder.id)}
                className="flex h-12 w-full items-center gap-3 px-3 text-start hover:bg-hover disabled:opacity-45"
              >
                <FolderIcon isTile color={folder.folder_color ?? ''} emoji={folder.folder_emoji ?? ''} />
                <span className="min-w-0 flex-1 truncate font-medium">{shownName(folder.name)}</span>
                <ChevronRight className="text-ink-3" aria-hidden="true" />
              </button>
            </li>
          ))}
        </ul>
      </div>
      {isNaming && (
        <NameDialog
          title={t('node.newFolder.title')}
          confirm={t('node.newFolder.create')}
          label={t('node.newFolder.name')}
          initial={t('node.newFolder.initial')}
          onClose={() => setNaming(false)}
          onSubmit={async (name) => {
            try {
              const { file } = await call(
                driveApi.create,
                { body: { kind: 'drive#folder', parent_id: folderId, name, conflict: 'fail' } },
                { idempotencyKey: randomHex() },
              );
              setNaming(false);
              setFolderId(file!.id);
              void client.invalidateQueries({ queryKey: ['files'] });
              return undefined;
            } catch (error) {
              return text(error);
            }
          }}
        />
      )}
    </Dialog>
  );
}
