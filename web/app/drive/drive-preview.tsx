import { lazy, Suspense } from 'react';
import { Link2, Trash2 } from 'lucide-react';
import { driveApi, isExtractable } from '@bowerbird/contract';
import { useCall } from '#app/api/client.ts';
import { useT } from '#app/i18n/t.ts';
import { FileDetails, only, Preview, type Entries, type OpenFile } from '#app/node/index.ts';
import { IconButton } from '#app/ui/icon-button.tsx';
import { Spinner } from '#app/ui/spinner.tsx';
import type { FileWork } from './use-file-work.tsx';

/** Loaded when the first archive is opened. */
const ArchiveViewer = lazy(() => import('./archive-viewer.tsx'));

/** Preview of a file of the drive, over its list. */
export function DrivePreview({
  preview,
  entries,
  work,
}: {
  preview: OpenFile;
  entries: Entries;
  work: FileWork;
}) {
  const t = useT();
  const call = useCall();
  if (preview.id === undefined) return null;
  return (
    <Preview
      id={preview.id}
      entries={entries}
      load={(id) =>
        call(driveApi.get, { params: { id }, query: { thumbnail_size: 'SIZE_LARGE', opened: 'true' } })
      }
      onTurn={preview.turnTo}
      onClose={preview.close}
      details={(file) => <FileDetails file={file} />}
      onEdit={(file) => {
        const { edit } = work.actionsFor(only(file));
        return (
          edit &&
          (() => {
            preview.close();
            edit();
          })
        );
      }}
      viewer={(file) =>
        isExtractable(file.name) ? (
          <Suspense
            fallback={<Spinner label={t('node.preview.loading')} className="m-auto size-8 text-ink-2" />}
          >
            <ArchiveViewer
              key={file.id}
              file={file}
              onExtract={(password, paths) => {
                // The toast and the extracted folder appear on the page behind the preview.
                preview.close();
                void work.operations.extract(file, password, paths);
              }}
            />
          </Suspense>
        ) : undefined
      }
      actions={(file) => {
        const { share, trash } = work.actionsFor(only(file));
        return (
          <>
            {share && <IconButton label={t('drive.menu.share')} icon={<Link2 />} onClick={share} />}
            {trash && (
              <IconButton
                label={t('drive.menu.trash')}
                icon={<Trash2 />}
                onClick={() => {
                  preview.close();
                  trash();
                }}
              />
            )}
          </>
        );
      }}
    />
  );
}
