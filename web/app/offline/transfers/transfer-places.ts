import type { Transfer } from './transfer-facts.ts';

const folder = (id: string): string => (id === '' ? '/drive/all' : `/drive/all/${id}`);

/** Returns the addresses of a download: its folder, the file itself, and the file marked in its folder. */
export function placeOf({ folderId, fileId, isFolder }: Pick<Transfer, 'folderId' | 'fileId' | 'isFolder'>) {
  const home = folder(folderId);
  if (fileId === '') return { home, open: home, show: home };
  return {
    home,
    open: isFolder ? folder(fileId) : `${home}?open_file=${fileId}`,
    show: `${home}?action=highlight_files&file_ids=${fileId}`,
  };
}
