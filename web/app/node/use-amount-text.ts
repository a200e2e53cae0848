import type { File } from '@bowerbird/contract';
import { useFormat } from '#app/i18n/format.ts';
import { useT } from '#app/i18n/t.ts';
import type { Amount } from './entries/selection.ts';
import { isFolder } from './file-facts.ts';

/**
 * Returns a function that describes the size of the selection: its bytes, and the number of folders of
 * unknown size in addition.
 */
export function useAmountText(): (amount: Amount) => string {
  const t = useT();
  const format = useFormat();
  return ({ bytes, folders }) => {
    if (folders === 0) return format.bytes(bytes);
    const more = t('node.folders', { count: folders });
    return bytes === 0 ? more : t('node.amount', { size: format.bytes(bytes), folders: more });
  };
}

/**
 * Returns a function that counts files and folders, with everything that folders contain: "1,204 files and 38 folders". A
 * single folder isn't counted itself. `undefined` if it isn't known.
 */
export function useContentsText(): (
  files: readonly Pick<File, 'kind' | 'file_count' | 'folder_count'>[],
) => string | undefined {
  const t = useT();
  return (all) => {
    let [files, folders] = [0, 0];
    for (const file of all) {
      if (!isFolder(file)) files += 1;
      else if (file.file_count === undefined) return undefined;
      else {
        files += file.file_count;
        folders += (file.folder_count ?? 0) + (all.length === 1 ? 0 : 1);
      }
    }
    const count = t('offline.files', { count: files });
    return folders === 0
      ? count
      : t('node.amount', { size: count, folders: t('node.folders', { count: folders }) });
  };
}
