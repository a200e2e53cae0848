import { QueryScope } from '#app/api/query-scope.tsx';
import { useT } from '#app/i18n/t.ts';
import { FolderPicker } from '#app/node/folder-picker.tsx';

const NONE: ReadonlySet<string> = new Set();

/** Lets a member choose the folder to save to. */
export default function SavePicker({
  count,
  onPick,
  onClose,
}: {
  count: number;
  onPick: (folderId: string) => void;
  onClose: () => void;
}) {
  const t = useT();
  return (
    <QueryScope>
      <FolderPicker
        title={t('share.pickTitle', { count })}
        confirm={t('share.pickHere')}
        start=""
        refused={NONE}
        onClose={onClose}
        onPick={({ id }) => onPick(id)}
      />
    </QueryScope>
  );
}
