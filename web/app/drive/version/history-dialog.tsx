import { useState } from 'react';
import { LIMITS, type driveApi, type File, type ReplyOf, type Version } from '@bowerbird/contract';
import { useErrorText } from '#app/api/error-text.ts';
import { DateTime } from '#app/i18n/date-time.tsx';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { LabelDialog } from '#app/node/label-dialog.tsx';
import { shownName } from '#app/node/name/shown-name.ts';
import { SinglePreview } from '#app/node/index.ts';
import { Button } from '#app/ui/button.tsx';
import { ConfirmDialog } from '#app/ui/confirm-dialog.tsx';
import { Dialog } from '#app/ui/dialog.tsx';
import { Dotted } from '#app/ui/dotted.tsx';
import { FileTile } from '#app/ui/file-tile.tsx';
import { Skeleton } from '#app/ui/skeleton.tsx';
import { useVersionChanges, useVersions } from './use-versions.ts';
import { VersionRow } from './version-row.tsx';

type Asked =
  | { readonly what: 'preview' | 'rename' | 'delete'; readonly version: Version }
  | { readonly what: 'clear' };

export interface HistoryDialogProps {
  readonly file: File;
  readonly onClose: () => void;
}

/** Earlier versions of a file: read, restored, named, kept and deleted here. */
export default function HistoryDialog({ file, onClose }: HistoryDialogProps) {
  const t = useT();
  const format = useFormat();
  const errorText = useErrorText();
  const versions = useVersions(file);
  const changes = useVersionChanges(file);
  const [asked, setAsked] = useState<Asked>();
  const close = (): void => setAsked(undefined);
  const pages = versions.data?.pages;
  const shown = pages?.flatMap((page) => page.versions) ?? [];
  const removable = shown.some(({ label, keep_forever: isKept }) => label === '' && !isKept);
  return (
    <>
      <Dialog
        isOpen
        sheet
        size="m"
        onClose={onClose}
        title={t('drive.history.title')}
        footer={
          removable ? (
            <Button onClick={() => setAsked({ what: 'clear' })}>{t('drive.history.clear')}</Button>
          ) : undefined
        }
      >
        <p className="mb-3 font-medium [overflow-wrap:anywhere] text-ink-2">
          <bdi>{shownName(file.name)}</bdi>
        </p>
        {versions.isError ? (
          <div role="alert" className="grid justify-items-start gap-3 text-13 text-ink-2">
            {errorText(versions.error)}
            <Button size="s" onClick={() => void versions.refetch()}>
              {t('ui.retry')}
            </Button>
          </div>
        ) : !pages ? (
          <Skeleton className="h-40" />
        ) : (
          <>
            <ul aria-label={t('drive.history.title')}>
              <li className="flex items-center gap-3 pb-3">
                {file.thumbnail_link !== '' && (
                  <FileTile category="image" thumbnail={file.thumbnail_link} size={40} />
                )}
                <div className="grid min-w-0 gap-0.5">
                  <p className="font-medium">{t('drive.history.current')}</p>
                  <p className="text-13 text-ink-2 tabular-nums">
                    <Dotted
                      facts={[<DateTime key="date" at={file.modified_time} />, format.bytes(file.size)]}
                    />
                  </p>
                </div>
              </li>
              {shown.map((version) => (
                <VersionRow
                  key={version.id}
                  version={version}
                  actions={{
                    preview: () => setAsked({ what: 'preview', version }),
                    restore: () => {
                      onClose();
                      void changes.restore(version);
                    },
                    rename: () => setAsked({ what: 'rename', version }),
                    keep: (forever) => void changes.change(version, { keep_forever: forever }),
                    remove: () => setAsked({ what: 'delete', version }),
                  }}
                />
              ))}
            </ul>
            {versions.hasNextPage && (
              <Button
                size="s"
                busy={versions.isFetchingNextPage}
                onClick={() => void versions.fetchNextPage()}
              >
                {t('drive.history.older')}
              </Button>
            )}
            <Explanation of={pages[0]!} />
          </>
        )}
      </Dialog>
      {asked?.what === 'preview' && (
        <VersionPreview
          file={file}
          version={asked.version}
          onClose={close}
          onRestore={() => {
            onClose();
            void changes.restore(asked.version);
          }}
        />
      )}
      {asked?.what === 'rename' && (
        <LabelDialog
          title={t('drive.history.name')}
          label={t('drive.history.nameField')}
          hint={t('drive.history.nameHint')}
          confirm={t('drive.history.save')}
          initial={asked.version.label}
          most={LIMITS.versionLabelMax}
          onClose={close}
          onSubmit={(label) => {
            void changes.change(asked.version, { label: label.trim() });
            return Promise.resolve(undefined);
          }}
        />
      )}
      <ConfirmDialog
        isOpen={asked?.what === 'delete' || asked?.what === 'clear'}
        isDanger
        onClose={close}
        title={asked?.what === 'clear' ? t('drive.history.clearTitle') : t('drive.history.deleteTitle')}
        text={asked?.what === 'clear' ? t('drive.history.clearText') : t('drive.history.deleteText')}
        confirmLabel={t('drive.delete.confirm')}
        onConfirm={() => {
          close();
          if (asked?.what === 'clear') void changes.clear();
          else if (asked?.what === 'delete') void changes.remove(asked.version);
        }}
      />
    </>
  );
}

function Explanation({ of }: { of: ReplyOf<typeof driveApi.versions> }) {
  const t = useT();
  const format = useFormat();
  const { total, total_size: size, most, days } = of;
  return (
    <div className="grid gap-1 border-t border-line pt-3 text-13 text-ink-3">
      {total === 0 && <p>{t('drive.history.empty')}</p>}
      {total > 0 && <p>{t('drive.history.total', { count: total, size: format.bytes(size) })}</p>}
      <p>
        {most === 0
          ? t('drive.history.none')
          : days < 0
            ? t('drive.history.limit', { count: most })
            : t('drive.history.limitDays', { count: days, most: format.number(most) })}
      </p>
    </div>
  );
}

/** A version, shown as its file would be with that content. */
function VersionPreview({
  file,
  version,
  onClose,
  onRestore,
}: {
  file: File;
  version: Version;
  onClose: () => void;
  onRestore: () => void;
}) {
  const t = useT();
  const link = version.inline_link ?? version.link;
  const before: File = {
    ...file,
    id: version.id,
    size: version.size,
    hash: version.hash,
    modified_time: version.modified_time,
    links: link ? { [link.type]: link } : {},
    web_content_link: version.link?.url ?? '',
    thumbnail_link: '',
    medias: [],
  };
  return (
    <Dialog
      isOpen
      size="l"
      onClose={onClose}
      title={version.label || <DateTime at={version.modified_time} />}
      footer={
        <Button variant="primary" onClick={onRestore}>
          {t('drive.history.restore')}
        </Button>
      }
    >
      <SinglePreview file={before} load={() => Promise.resolve(before)} />
    </Dialog>
  );
}
