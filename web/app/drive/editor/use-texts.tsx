import { useState, type ReactNode } from 'react';
import type { File } from '@bowerbird/contract';
import { useErrorText } from '#app/api/error-text.ts';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import { NameDialog } from '#app/node/name-dialog.tsx';
import { toast } from '#app/ui/toast/toast.tsx';
import { useUploads, type Target } from '#app/upload/index.ts';
import { readClipboard } from './clipboard-content.ts';
import { Editor } from './lazy-editor.tsx';
import { useSaving } from './use-saving.ts';

/** Texts that are edited, created and pasted. */
export interface Texts {
  edit(file: Pick<File, 'id' | 'name'>): void;
  /** Asks for a name, creates an empty text file, and opens it. */
  create(parent: string): void;
  /** Makes a file of the text or picture in the system's clipboard. */
  paste(target: Target): Promise<void>;
  readonly dialogs: ReactNode;
}

export function useTexts(): Texts {
  const t = useT();
  const format = useFormat();
  const errorText = useErrorText();
  const { add } = useUploads();
  const { create } = useSaving();
  const [edited, setEdited] = useState<Pick<File, 'id' | 'name'>>();
  const [parent, setParent] = useState<string>();
  return {
    edit: ({ id, name }) => setEdited({ id, name }),
    create: setParent,
    async paste(target) {
      const time = format.dateTime(new Date().toISOString()).replaceAll(':', '.');
      const found = await readClipboard(t('upload.pastedName', { time }));
      if (typeof found === 'string') toast.show({ text: t(`drive.paste.${found}`), tone: 'danger' });
      else add([found], target);
    },
    dialogs: (
      <>
        {edited && <Editor id={edited.id} name={edited.name} onClose={() => setEdited(undefined)} />}
        {parent !== undefined && (
          <NameDialog
            title={t('drive.editor.new')}
            label={t('node.newFolder.name')}
            confirm={t('node.newFolder.create')}
            initial={t('drive.editor.initial')}
            onClose={() => setParent(undefined)}
            onSubmit={async (name) => {
              try {
                const made = await create(parent, name, new Uint8Array(), { mayNumber: false });
                setParent(undefined);
                setEdited(made);
                return undefined;
              } catch (error) {
                return errorText(error);
              }
            }}
          />
        )}
      </>
    ),
  };
}
