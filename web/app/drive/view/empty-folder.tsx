import { useT } from '#app/i18n/t.ts';
import { Button } from '#app/ui/button.tsx';
import { EmptyState } from '#app/ui/empty-state.tsx';

/** Replaces the list of a folder without entries: ways to add some. */
export function EmptyFolder({
  isRoot,
  isReadOnly,
  onPick,
  onLinks,
}: {
  isRoot: boolean;
  /** True in a folder of someone else that the member may only view. */
  isReadOnly: boolean;
  onPick: (kind: 'files' | 'folder') => void;
  onLinks: () => void;
}) {
  const t = useT();
  if (isReadOnly) return <EmptyState title={t('drive.empty.title')} />;
  return (
    <EmptyState
      title={isRoot ? t('drive.empty.rootTitle') : t('drive.empty.title')}
      text={t('drive.empty.text')}
      actions={
        <>
          <Button variant="primary" size="l" onClick={() => onPick('files')}>
            {t('drive.new.files')}
          </Button>
          <Button size="l" onClick={() => onPick('folder')}>
            {t('drive.new.uploadFolder')}
          </Button>
          <Button size="l" onClick={onLinks}>
            {t('drive.new.links')}
          </Button>
        </>
      }
    />
  );
}
