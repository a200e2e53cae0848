import { useT } from '#app/i18n/t.ts';
import { NameDialog } from '#app/node/name-dialog.tsx';
import type { Operations } from './use-operations.ts';

/** Asks for a name, creates the folder and passes its id to `onMade`. */
export function NewFolderDialog({
  parent,
  operations,
  onMade,
  onClose,
}: {
  parent: string;
  operations: Operations;
  onMade: (id: string) => void;
  onClose: () => void;
}) {
  const t = useT();
  return (
    <NameDialog
      title={t('node.newFolder.title')}
      confirm={t('node.newFolder.create')}
      label={t('node.newFolder.name')}
      initial={t('node.newFolder.initial')}
      onClose={onClose}
      onSubmit={async (name) => {
        const made = await operations.createFolder(parent, name);
        if ('error' in made) return made.error;
        onClose();
        onMade(made.id);
        return undefined;
      }}
    />
  );
}
