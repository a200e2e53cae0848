/** Search as the address of its page contains it. */
export interface Search {
  /** As typed, see `parseSearch`. */
  readonly text: string;
  /** Folder to search below; "" for the whole drive. */
  readonly folder: string;
}

/** Query parameters of the page with the results. */
const TEXT = 'q';
const FOLDER = 'folder';
const ID = /^[\w-]{1,64}$/;

export function searchIn(query: URLSearchParams): Search {
  const folder = query.get(FOLDER) ?? '';
  return { text: (query.get(TEXT) ?? '').trim(), folder: ID.test(folder) ? folder : '' };
}

/** Address of the page with the results, without a locale. */
export function searchHref({ text, folder }: Search): string {
  const query = new URLSearchParams();
  if (text.trim() !== '') query.set(TEXT, text.trim());
  if (folder !== '') query.set(FOLDER, folder);
  const written = query.toString();
  return written === '' ? '/drive/search' : `/drive/search?${written}`;
}

/** Address of a folder that selects an item in it. */
export function placeHref(item: { readonly id: string; readonly parent_id: string }): string {
  const folder = item.parent_id === '' ? '/drive/all' : `/drive/all/${item.parent_id}`;
  return `${folder}?action=highlight_files&file_ids=${encodeURIComponent(item.id)}`;
}
